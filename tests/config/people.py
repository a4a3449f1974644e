"""People of these tests, and the ways they sign in."""

import base64
import hashlib
import hmac
import struct
import time

from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client

from duels.people import REFEREES

PASSWORD = "plume-de-hibou-42"


def somebody(name: str = "alma", **fields: object) -> User:
    """Return a user who has confirmed an address."""
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def promote(user: User) -> User:
    """Make the user a referee."""
    user.groups.add(Group.objects.get_or_create(name=REFEREES)[0])
    return user


def sign_in(client: Client, login: str, password: str = PASSWORD) -> HttpResponse:
    return client.post("/compte/login/", {"login": login, "password": password})


def code_now(secret: str) -> str:
    """Return what an authenticator app shows at this moment (RFC 6238: SHA-1, 30 seconds, 6 digits)."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.digest(base64.b32decode(secret), counter, hashlib.sha1)
    offset = digest[-1] & 0xF
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def with_authenticator(user: User) -> str:
    """Give the user an authenticator app; return its secret."""
    secret = base64.b32encode(b"twenty bytes of test").decode()
    data = {"secret": get_adapter().encrypt(secret)}
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)
    return secret
