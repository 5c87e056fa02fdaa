"""Texts for Hypothesis to draw: of any letters, and of those that readers get wrong."""

# ruff: noqa: RUF001 - letters that look like others are what this is about

from hypothesis import strategies as st

ALPHABETS = st.one_of(
    st.characters(codec="utf-8"),
    st.sampled_from("abzAZ09_'’!?$%£€ .,-\t\n"),
    st.sampled_from("ÀÖØÞßàöøþÿĀŐŸƁǅΑΩΣςЀЯҐԱאبªµºÇ×÷«»¿\u0130\u00a0\u2003\u3000。、カ中ﬁ😀❤\ufe0f→☺"),
)
TEXTS = st.text(ALPHABETS, max_size=40)
