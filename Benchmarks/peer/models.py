"""The tables of the home feed, as SQLAlchemy maps them."""

import uuid
from datetime import datetime

from sqlalchemy import Computed, DateTime, ForeignKey, LargeBinary
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

Time = DateTime(timezone=True)


class Base(DeclarativeBase):
    pass


class Account(Base):
    __tablename__ = "account"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    username: Mapped[str]
    email: Mapped[str]
    email_folded: Mapped[str] = mapped_column(Computed("lower(email)", persisted=True))
    email_verified_at: Mapped[datetime | None] = mapped_column(Time)
    full_name: Mapped[str | None]
    bio: Mapped[str | None]
    avatar_sha256: Mapped[bytes | None]
    follower_count: Mapped[int]
    following_count: Mapped[int]
    tweet_count: Mapped[int]
    session_epoch: Mapped[int]
    disabled_at: Mapped[datetime | None] = mapped_column(Time)
    created_at: Mapped[datetime] = mapped_column(Time)

    credential: Mapped["Credential"] = relationship()


class Credential(Base):
    __tablename__ = "credential"

    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("account.id"), primary_key=True)
    password_hash: Mapped[str]


class Session(Base):
    __tablename__ = "session"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("account.id"))
    token_digest: Mapped[bytes] = mapped_column(LargeBinary)
    epoch: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(Time)
    last_seen_at: Mapped[datetime] = mapped_column(Time)
    expires_at: Mapped[datetime] = mapped_column(Time)
    ip: Mapped[str] = mapped_column(INET)

    account: Mapped[Account] = relationship()


class Tweet(Base):
    __tablename__ = "tweet"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    author_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("account.id"))
    text: Mapped[str]
    like_count: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(Time)

    author: Mapped[Account] = relationship()


class TweetLike(Base):
    __tablename__ = "tweet_like"

    tweet_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("tweet.id"), primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("account.id"), primary_key=True)


class Follow(Base):
    __tablename__ = "follow"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    follower_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("account.id"))
    followee_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("account.id"))
