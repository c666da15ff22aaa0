"""The bodies of requests and answers, as pydantic checks and writes them."""

import uuid
from datetime import UTC, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer
from pydantic.alias_generators import to_camel

Time = Annotated[
    datetime, PlainSerializer(lambda time: f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03}Z")]


class Schema(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, from_attributes=True)


class LoginIn(Schema):
    login: str
    password: str


class TweetIn(Schema):
    text: str


class AccountOut(Schema):
    id: uuid.UUID
    username: str
    email: str
    email_verified: bool
    full_name: str | None
    bio: str | None
    profileImageURL: str | None
    created_at: Time
    followers: int
    following: int
    tweets: int


class SessionOut(Schema):
    token: str
    id: uuid.UUID
    created_at: Time
    expires_at: Time


class LoginOut(Schema):
    user: AccountOut
    session: SessionOut


class AuthorOut(Schema):
    id: uuid.UUID
    username: str
    full_name: str | None
    profileImageURL: str | None


class TweetOut(Schema):
    id: uuid.UUID
    text: str
    created_at: Time
    author: AuthorOut
    likes: int
    liked_by_me: bool


class TweetPage(Schema):
    items: list[TweetOut]
    next: uuid.UUID | None
