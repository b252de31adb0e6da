"""The states of the US as a grid of tiles, and their codes: places are exact at what a deal file knows, the state."""

from __future__ import annotations

_ROWS = (
    "AK0 ME10",
    "VT9 NH10",
    "WA0 ID1 MT2 ND3 MN4 WI5 MI6 NY8 MA9 RI10",
    "OR0 NV1 WY2 SD3 IA4 IL5 IN6 OH7 PA8 NJ9 CT10",
    "CA0 UT1 CO2 NE3 MO4 KY5 WV6 VA7 MD8 DE9",
    "AZ1 NM2 KS3 AR4 TN5 NC6 SC7 DC8",
    "OK3 LA4 MS5 AL6 GA7",
    "HI0 TX3 FL8",
)
TILES = {word[:2]: (row, int(word[2:])) for row, line in enumerate(_ROWS) for word in line.split()}
"""Row and column of each state's tile, by code."""
TILE_ROWS, TILE_COLUMNS = len(_ROWS), 11

_NAMES = (
    "AK Alaska,AL Alabama,AR Arkansas,AZ Arizona,CA California,CO Colorado,CT Connecticut,DC District of Columbia,"
    "DE Delaware,FL Florida,GA Georgia,HI Hawaii,IA Iowa,ID Idaho,IL Illinois,IN Indiana,KS Kansas,KY Kentucky,"
    "LA Louisiana,MA Massachusetts,MD Maryland,ME Maine,MI Michigan,MN Minnesota,MO Missouri,MS Mississippi,MT Montana,"
    "NC North Carolina,ND North Dakota,NE Nebraska,NH New Hampshire,NJ New Jersey,NM New Mexico,NV Nevada,NY New York,"
    "OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,"
    "TX Texas,UT Utah,VA Virginia,VT Vermont,WA Washington,WI Wisconsin,WV West Virginia,WY Wyoming"
)
NAMES = {entry[:2]: entry[3:] for entry in _NAMES.split(",")}
"""The name of each state, by code."""
_CODES = {name.casefold(): code for code, name in NAMES.items()} | {code.casefold(): code for code in NAMES}


def state_code(text: str | None) -> str | None:
    """The code of the state that `text` names or abbreviates; None for anything else."""
    return _CODES.get((text or "").strip(" .").casefold())
