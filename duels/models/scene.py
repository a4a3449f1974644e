"""Scenes: role play that players write together outside of duels."""

from __future__ import annotations

from django.conf import settings
from django.db import connection, models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .people import Duellist
from .thread import Thread


class SceneQuerySet(models.QuerySet["Scene"]):
    def hold(self, pk: int) -> None:
        """Hold a scene's row until the transaction ends: positions in its thread are given under it."""
        if connection.features.has_select_for_no_key_update:
            list(self.filter(pk=pk).select_for_update(no_key=True).values_list("pk"))


class Scene(models.Model):
    """A thread of role play, open to every duellist. `last_post_at` is a copy, for lists."""

    thread = models.OneToOneField(Thread, models.PROTECT, related_name="scene")
    title = models.CharField(_("title"), max_length=120)
    opened_by = models.ForeignKey(Duellist, models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    last_post_at = models.DateTimeField(db_index=True)

    objects = SceneQuerySet.as_manager()

    class Meta:
        ordering = ["-last_post_at"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("duels:scene", args=[self.pk])


class SceneDraft(models.Model):
    """What a member has typed for a scene and not yet posted, encrypted."""

    scene = models.ForeignKey(Scene, models.CASCADE, related_name="drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    sealed = models.BinaryField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scene", "user"], name="one_scene_draft_a_member")]

    def __str__(self) -> str:
        return f"{self.user_id}@{self.scene_id}"
