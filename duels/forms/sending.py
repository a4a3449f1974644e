"""What the forms share that do something which must not be done twice."""

from __future__ import annotations

import uuid

from django import forms


class SentOnceForm(forms.Form):
    """A form with a key of its own, made as the page is: an action that is given it does its work once."""

    sending = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4, required=False)
