"""Threads as long as one likes, without playing them."""

from duels import clock, markup
from duels.models import Post, PostBody
from tests import play


def lengthen(duel, length):
    """Fill the thread of a duel with a published turn up to that many posts: texts, and one resolution in seven."""
    thread = play.fresh(duel).thread
    resolution = thread.posts.get(kind="resolution").resolution
    positions = range(thread.post_count + 1, length + 1)
    html = markup.render(play.TEXT)
    posts = Post.objects.bulk_create(_post(thread, position, resolution) for position in positions)
    texts = [post for post in posts if post.kind == "rp"]
    PostBody.objects.bulk_create(PostBody(post=post, text=play.TEXT, html=html) for post in texts)


def _post(thread, position, resolution):
    seat = "ab"[position % 2]
    common = {"thread": thread, "position": position, "turn": position, "posted_at": clock.now()}
    if position % 7 == 0:
        return Post(kind="resolution", resolution=resolution, details={"rulings": [], "late": []}, **common)
    receipt = {"receipt": "0" * 64, "version": 1}
    duellist = thread.duel.cast[seat]["duellist"]
    return Post(kind="rp", seat=seat, duellist_id=duellist, words=123, text_sha256="0" * 64, details=receipt, **common)
