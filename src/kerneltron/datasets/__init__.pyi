from .digits import Split as Split
from .digits import load_digits as load_digits
from .generators import Disjunction as Disjunction
from .generators import Generated as Generated
from .generators import Halfspace as Halfspace
from .generators import Multinomial as Multinomial
from .generators import dense_target as dense_target
from .generators import duplicated as duplicated
from .generators import multinomial_text as multinomial_text
from .generators import noisy_logistic as noisy_logistic
from .generators import separable as separable
from .generators import sparse_target as sparse_target
from .graphs import GraphData as GraphData
from .graphs import load_graphs as load_graphs
from .graphs import load_tu as load_tu
from .mail import Corpus as Corpus
from .mail import Mail as Mail
from .mail import Taste as Taste
from .mail import generate_mail as generate_mail
from .mnist import load_mnist as load_mnist
from .networks import Hub as Hub
from .networks import social_networks as social_networks
from .plays import Play as Play
from .plays import load_plays as load_plays
from .questions import Questions as Questions
from .questions import load_questions as load_questions
from .ratings import GeneratedRatings as GeneratedRatings
from .ratings import Ratings as Ratings
from .ratings import Tastes as Tastes
from .ratings import generate_ratings as generate_ratings
from .ratings import load_ratings as load_ratings
from .shapes import Disc as Disc
from .shapes import Ellipse as Ellipse
from .shapes import Odd as Odd
from .shapes import Quadrants as Quadrants
from .shapes import Terms as Terms
from .shapes import circle as circle
from .shapes import dnf as dnf
from .shapes import ellipse_points as ellipse_points
from .shapes import parity as parity
from .shapes import ten_points as ten_points
from .shapes import xor as xor
from .spambase import Emails as Emails
from .spambase import load_spambase as load_spambase
from .splice import Strings as Strings
from .splice import load_splice as load_splice

__all__ = [
    "Corpus",
    "Disc",
    "Disjunction",
    "Ellipse",
    "Emails",
    "Generated",
    "GeneratedRatings",
    "GraphData",
    "Halfspace",
    "Hub",
    "Mail",
    "Multinomial",
    "Odd",
    "Play",
    "Quadrants",
    "Questions",
    "Ratings",
    "Split",
    "Strings",
    "Taste",
    "Tastes",
    "Terms",
    "circle",
    "dense_target",
    "dnf",
    "duplicated",
    "ellipse_points",
    "generate_mail",
    "generate_ratings",
    "load_digits",
    "load_graphs",
    "load_mnist",
    "load_plays",
    "load_questions",
    "load_ratings",
    "load_spambase",
    "load_splice",
    "load_tu",
    "multinomial_text",
    "noisy_logistic",
    "parity",
    "separable",
    "social_networks",
    "sparse_target",
    "ten_points",
    "xor",
]
