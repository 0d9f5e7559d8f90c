// Texts that would run something or fetch something if a screen took them for markup. `%` is the number of the text, so that each says who it was.

/** Where everything that must not be fetched would come from. */
export const ELSEWHERE = "elsewhere.example";

const RUN = "window.__ran=[...(window.__ran||[]),%]";

/** Sixty ways to run a script. */
export const SCRIPTS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<script src="https://${ELSEWHERE}/%.js"></script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src=x onerror=${RUN}//`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>a</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x">`,
  `<svg><foreignObject><body onload="${RUN}"></foreignObject></svg>`,
  `<math><mtext></mtext><a xlink:href="javascript:${RUN}">a</a></math>`,
  `<math><maction actiontype=statusline xlink:href="javascript:${RUN}">a</maction></math>`,
  `<body onload="${RUN}">`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<details open ontoggle="${RUN}"><summary>a</summary></details>`,
  `<input autofocus onfocus="${RUN}">`,
  `<select autofocus onfocus="${RUN}">`,
  `<textarea autofocus onfocus="${RUN}">`,
  `<video><source onerror="${RUN}"></video>`,
  `<audio src=x onerror="${RUN}">`,
  `<marquee onstart="${RUN}">a</marquee>`,
  `<a href="javascript:${RUN}">a</a>`,
  `<a href="jav&#x09;ascript:${RUN}">a</a>`,
  `<a href=" javascript:${RUN}">a</a>`,
  `<form action="javascript:${RUN}"><button>a</button></form>`,
  `<button formaction="javascript:${RUN}">a</button>`,
  `<div style="width:expression(${RUN})">a</div>`,
  `<div onpointerenter="${RUN}" onmouseover="${RUN}">a</div>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<base href="javascript:${RUN}//">`,
  `<link rel=stylesheet href="javascript:${RUN}">`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<textarea></textarea><img src=x onerror="${RUN}">`,
  `<title></title><img src=x onerror="${RUN}">`,
  `<!--><img src=x onerror="${RUN}">-->`,
  `<![CDATA[<img src=x onerror="${RUN}">]]>`,
  `"><img src=x onerror="${RUN}">`,
  `'><svg onload=${RUN}>`,
  `" onmouseover="${RUN}" x="`,
  `' autofocus onfocus=${RUN} x='`,
  `\`-${RUN}-\``,
  `[a](javascript:${RUN})`,
  `[a](JaVaScRiPt:${RUN})`,
  `[a](java&#115;cript:${RUN})`,
  `[a](data:text/html,<script>${RUN}</script>)`,
  `[a](vbscript:${RUN})`,
  `[a](vault:javascript:${RUN})`,
  `[a](<javascript:${RUN}> "t")`,
  `![a](javascript:${RUN})`,
  `![a](data:image/svg+xml,<svg onload=${RUN}>)`,
  `<javascript:${RUN}>`,
  `[[javascript:${RUN}]]`,
  `[[a"onmouseover="${RUN}|b]]`,
  `[[<img src=x onerror=${RUN}>|<svg onload=${RUN}>]]`,
  `[[a#"><img src=x onerror=${RUN}>]]`,
  `{{constructor.constructor('${RUN}')()}} \${${RUN}}`,
];

/** Ways to make a page ask another host for something. */
export const FETCHES: readonly string[] = [
  `![a](https://${ELSEWHERE}/%-image.png)`,
  `![a](//${ELSEWHERE}/%-bare.png)`,
  `[![a](https://${ELSEWHERE}/%-linked.png)](https://${ELSEWHERE}/%)`,
  `<img src="https://${ELSEWHERE}/%-html.png" srcset="https://${ELSEWHERE}/%-set.png 2x">`,
  `<picture><source srcset="https://${ELSEWHERE}/%-picture.png"></picture>`,
  `<video poster="https://${ELSEWHERE}/%-poster.png" src="https://${ELSEWHERE}/%.mp4" autoplay></video>`,
  `<svg><image href="https://${ELSEWHERE}/%-svg.png"></svg>`,
  `<link rel="icon" href="https://${ELSEWHERE}/%.ico">`,
  `<link rel="stylesheet" href="https://${ELSEWHERE}/%.css">`,
  `<style>@import url(https://${ELSEWHERE}/%-import.css);</style>`,
  `<div style="background:url(https://${ELSEWHERE}/%-css.png)">a</div>`,
  `<iframe src="https://${ELSEWHERE}/%-frame"></iframe>`,
  `<link rel="prefetch" href="https://${ELSEWHERE}/%-prefetch"> <link rel="dns-prefetch" href="//${ELSEWHERE}">`,
  `https://${ELSEWHERE}/%-bare-address and <https://${ELSEWHERE}/%-angle>`,
];

/** A text with its number in it, and a word by which a search finds it. */
export function numbered(texts: readonly string[], from = 0): string[] {
  return texts.map((text, at) => `Quoth${from + at} ${text.replaceAll("%", String(from + at))}`);
}
