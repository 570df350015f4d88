"""The estimate of the number of tokens is never below the true one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.content.chunks import estimate_tokens

MEASURED = {
    # The larger number of tokens of cl100k_base and o200k_base.
    "The museum opened in 1902 and is located in the centre of the old town. Admission costs "
    "14.50 EUR for adults, and children under twelve enter free of charge.": 37,
    "Das Museum wurde 1902 eröffnet und liegt im Zentrum der Altstadt. Der Eintritt kostet 14,50 "
    "EUR für Erwachsene; Kinder unter zwölf Jahren haben freien Eintritt.": 49,
    "Bảo tàng được mở cửa vào năm 1902 và nằm ở trung tâm khu phố cổ. Vé vào cửa cho người lớn là "
    "bốn mươi nghìn đồng.": 60,
    "Музей був відкрито 1902 року, він розташований у центрі старого міста. Вхід для дорослих "
    "коштує чотириста гривень.": 70,
    "Το μουσείο άνοιξε το 1902 και βρίσκεται στο κέντρο της παλιάς πόλης. Η είσοδος για ενήλικες "
    "κοστίζει δεκατέσσερα ευρώ.": 102,
    "המוזיאון נפתח בשנת 1902 וממוקם במרכז העיר העתיקה. דמי הכניסה למבוגרים הם ארבעים שקלים.": 82,
    "افتتح المتحف عام 1902 ويقع في وسط المدينة القديمة. رسوم الدخول للبالغين أربعون درهما.": 57,
    "მუზეუმი გაიხსნა 1902 წელს და მდებარეობს ძველი ქალაქის ცენტრში.": 109,
    "ሙዚየሙ በ1902 ተከፈተ እና በድሮው ከተማ መሃል ይገኛል።": 79,
    "ပြတိုက်ကို ၁၉၀၂ ခုနှစ်တွင် ဖွင့်လှစ်ခဲ့ပြီး မြို့ဟောင်း၏ အလယ်ဗဟိုတွင် တည်ရှိသည်။": 160,
    "博物馆于1902年开放，位于老城中心。成人门票价格为四十元，十二岁以下儿童免费入场。": 44,
    "博物館於1902年開放，位於老城中心。成人門票價格為四十元，十二歲以下兒童免費入場。": 53,
    "博物館は1902年に開館し、旧市街の中心部に位置しています。大人の入場料は四百円で、"
    "十二歳未満の子供は無料です。": 57,
    "박물관은 1902년에 개관했으며 구시가지 중심에 위치해 있습니다. "
    "성인 입장료는 사천 원입니다.": 50,
    "1902837465 2837465 12.50 99.01.2024 8475-2837-2837 3.14159265358979": 36,
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08": 43,
    "()[]{}<>!?#$%^&*~`|\\/;:'\"": 17,
}


@pytest.mark.parametrize(("text", "tokens"), MEASURED.items(), ids=range(len(MEASURED)))
def test_the_estimate_is_not_below_what_was_measured(text: str, tokens: int) -> None:
    assert tokens <= estimate_tokens(text) <= 3 * tokens + 20


@given(st.text(), st.text())
def test_the_estimate_of_a_whole_is_not_above_those_of_its_parts(one: str, other: str) -> None:
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)
