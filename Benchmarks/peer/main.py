"""Roost's busiest calls as a FastAPI server on SQLAlchemy and asyncpg, on the same database.

Written as the documentation of these libraries shows it: a session of the database for each request, the signed-in
account as a dependency, mapped classes, and models for every body. It counts no attempts, keeps no audit and knows no
idempotency keys, all of which Roost does beside.
"""

import hashlib
import os
import secrets
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Query, Request, status
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import exists, literal, or_, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import contains_eager, joinedload

from models import Account, Follow, Session, Tweet, TweetLike
from schemas import AccountOut, AuthorOut, LoginIn, LoginOut, SessionOut, TweetIn, TweetOut, TweetPage

IDLE = timedelta(days=30)
PREFIX = "roost_"

engine = create_async_engine(os.environ["PEER_DATABASE_URL"])
open_session = async_sessionmaker(engine, expire_on_commit=False)
# The same costs as Roost's hashes: 19 MiB, two passes, one lane.
passwords = PasswordHash((Argon2Hasher(time_cost=2, memory_cost=19_456, parallelism=1),))
bearer = HTTPBearer(auto_error=False)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    yield
    await engine.dispose()


app = FastAPI(lifespan=lifespan)


async def database() -> AsyncIterator[AsyncSession]:
    async with open_session() as session:
        yield session


Database = Annotated[AsyncSession, Depends(database)]


async def viewer(
    database: Database, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> Account:
    signed_out = HTTPException(status.HTTP_401_UNAUTHORIZED, "Log in first.", {"WWW-Authenticate": "Bearer"})
    if credentials is None:
        raise signed_out
    try:
        digest = hashlib.sha256(urlsafe_b64decode(credentials.credentials.removeprefix(PREFIX) + "=")).digest()
    except ValueError:
        raise signed_out from None
    account = await database.scalar(
        select(Account).join(Session, Session.account_id == Account.id).where(
            Session.token_digest == digest, Session.expires_at > datetime.now(UTC),
            Session.epoch == Account.session_epoch, Account.disabled_at.is_(None)))
    if account is None:
        raise signed_out
    return account


Viewer = Annotated[Account, Depends(viewer)]


def picture(account: Account, request: Request) -> str | None:
    return account.avatar_sha256 and f"{request.base_url}v1/avatars/{account.avatar_sha256.hex()}.jpg"


def account_out(account: Account, request: Request) -> AccountOut:
    return AccountOut(
        id=account.id, username=account.username, email=account.email,
        email_verified=account.email_verified_at is not None, full_name=account.full_name, bio=account.bio,
        profileImageURL=picture(account, request), created_at=account.created_at, followers=account.follower_count,
        following=account.following_count, tweets=account.tweet_count)


def tweet_out(tweet: Tweet, is_liked: bool, request: Request) -> TweetOut:
    author = AuthorOut(
        id=tweet.author.id, username=tweet.author.username, full_name=tweet.author.full_name,
        profileImageURL=picture(tweet.author, request))
    return TweetOut(
        id=tweet.id, text=tweet.text, created_at=tweet.created_at, author=author, likes=tweet.like_count,
        liked_by_me=is_liked)


@app.get("/healthz")
async def healthz() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/v1/me")
async def me(request: Request, viewer: Viewer) -> AccountOut:
    return account_out(viewer, request)


@app.get("/v1/feed")
async def feed(
    request: Request, viewer: Viewer, database: Database, limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: uuid.UUID | None = None,
) -> TweetPage:
    # Faster here than `author_id = ... or author_id in (...)`, for which PostgreSQL walks over everybody's tweets.
    authors = union_all(select(Follow.followee_id).where(Follow.follower_id == viewer.id), select(literal(viewer.id)))
    is_liked = exists().where(TweetLike.tweet_id == Tweet.id, TweetLike.account_id == viewer.id)
    page = (
        select(Tweet, is_liked).join(Tweet.author).options(contains_eager(Tweet.author))
        .where(Tweet.author_id.in_(authors), Account.disabled_at.is_(None))
        .order_by(Tweet.id.desc()).limit(limit + 1))
    if before is not None:
        page = page.where(Tweet.id < before)
    rows = (await database.execute(page)).all()
    items = [tweet_out(tweet, liked, request) for tweet, liked in rows[:limit]]
    return TweetPage(items=items, next=items[-1].id if len(rows) > limit else None)


@app.post("/v1/tweets", status_code=status.HTTP_201_CREATED)
async def write_tweet(request: Request, viewer: Viewer, database: Database, body: TweetIn) -> TweetOut:
    tweet = Tweet(id=uuid.uuid4(), author=viewer, text=body.text.strip(), created_at=datetime.now(UTC), like_count=0)
    database.add(tweet)
    await database.execute(
        update(Account).where(Account.id == viewer.id).values(tweet_count=Account.tweet_count + 1)
        .execution_options(synchronize_session=False))
    await database.commit()
    return tweet_out(tweet, False, request)


@app.post("/v1/login", status_code=status.HTTP_201_CREATED)
async def login(request: Request, database: Database, body: LoginIn) -> LoginOut:
    wrong = HTTPException(status.HTTP_401_UNAUTHORIZED, "The login or the password is wrong.")
    name = body.login.strip().lower()
    account = (await database.scalars(
        select(Account).options(joinedload(Account.credential))
        .where(or_(Account.username == name, Account.email_folded == name)))).one_or_none()
    if account is None:
        raise wrong
    if not await run_in_threadpool(passwords.verify, body.password, account.credential.password_hash):
        raise wrong
    token = secrets.token_bytes(32)
    now = datetime.now(UTC)
    session = Session(
        id=uuid.uuid4(), account=account, token_digest=hashlib.sha256(token).digest(), epoch=account.session_epoch,
        created_at=now, last_seen_at=now, expires_at=now + IDLE, ip=request.client.host)
    database.add(session)
    await database.commit()
    text = PREFIX + urlsafe_b64encode(token).decode().rstrip("=")
    return LoginOut(
        user=account_out(account, request),
        session=SessionOut(token=text, id=session.id, created_at=session.created_at, expires_at=session.expires_at))
