/** The style of the page: one column on a phone, contents beside the text on a wide screen; colours follow the system. */
export const style = `:root{color-scheme:light dark;--text:light-dark(#1c2024,#e6e8eb);--soft:light-dark(#5b606b,#a6adb7);--page:light-dark(#fff,#111418);--raised:light-dark(#f4f5f7,#1a1e24);--line:light-dark(#dfe2e6,#2c323a);--accent:light-dark(#0b5cad,#7ab8ff);--warn:light-dark(#8a4b00,#ffc069);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;scroll-padding-top:4.5rem}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;color:var(--text);background:var(--page)}
a{color:var(--accent);text-underline-offset:.15em}
[hidden]{display:none!important}
.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:fixed;z-index:3;top:.5rem;left:.5rem;padding:.5rem 1rem;background:var(--page)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{position:sticky;top:0;z-index:2;display:flex;align-items:center;justify-content:space-between;gap:1rem;height:3.5rem;padding:0 1.25rem;background:var(--page);border-bottom:1px solid var(--line)}
.brand{overflow:hidden;font-weight:700;color:var(--text);text-decoration:none;text-overflow:ellipsis;white-space:nowrap}
button,input{font:inherit;color:inherit;background:var(--page);border:1px solid light-dark(#868d98,#6b7380);border-radius:.4rem}
button{padding:.25rem .75rem;font-size:.875rem;white-space:nowrap;cursor:pointer}
input{width:100%;padding:.4rem .6rem}
.layout{display:grid;grid-template-columns:20rem minmax(0,1fr);max-width:90rem;margin:0 auto}
nav{position:sticky;top:3.5rem;height:calc(100vh - 3.5rem);padding:1rem;overflow-y:auto;font-size:.9rem;border-right:1px solid var(--line)}
nav label{display:block;margin:.5rem 0 .25rem;color:var(--soft)}
nav ul{margin:0 0 .5rem;padding:0;list-style:none}
nav summary{padding:.25rem 0;font-weight:600;cursor:pointer;overflow-wrap:anywhere}
nav a{display:flex;gap:.5rem;align-items:baseline;padding:.2rem .4rem;color:var(--text);text-decoration:none;border-radius:.3rem;overflow-wrap:anywhere}
nav a:hover,nav a[aria-current]{background:var(--raised)}
nav a[aria-current]{box-shadow:inset 2px 0 var(--accent)}
#found{min-height:1.4em;margin:.25rem 0;color:var(--soft)}
main{min-width:0;padding:1rem 2rem 6rem;overflow-wrap:anywhere}
main:focus{outline:none}
h1{margin:.5rem 0;font-size:1.75rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1.35rem}
h3{margin:0 0 .4rem;font-size:1.1rem}
h4{margin:1.2rem 0 .3rem;font-size:.95rem}
.operation,.schema{padding:1.5rem 0;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 30rem}
.anchor{margin-left:.4rem}
.line{margin:.2rem 0}
.soft,.facts,.place{color:var(--soft)}
.soft,.facts,.place,.type{font-size:.875rem}
.prose{max-width:50rem;font-size:.95rem}
.prose>:first-child{margin-top:.3rem}
.prose>:last-child{margin-bottom:.3rem}
code,pre,.type{font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace}
code{font-size:.875em}
pre{padding:.75rem;font-size:.8125rem;white-space:pre-wrap;background:var(--raised);border-radius:.4rem}
table{border-collapse:collapse}
td,th{padding:.25rem .6rem;text-align:left;vertical-align:top;border:1px solid var(--line)}
.members{margin:.3rem 0;padding:0;list-style:none}
.members>li{padding:.4rem 0 .4rem .9rem;border-left:2px solid var(--line)}
.members>li+li{margin-top:.15rem}
main summary{margin:.2rem 0;font-size:.875rem;color:var(--accent);cursor:pointer}
.media{margin:.4rem 0;padding:.2rem 0}
.tag{padding:0 .35rem;font-size:.75rem;border:1px solid currentColor;border-radius:.3rem;color:var(--soft)}
.warn{color:var(--warn)}
.method{flex:none;min-width:3.4rem;font:600 .75rem/1.5 ui-monospace,Menlo,Consolas,monospace}
.get{color:light-dark(#0a6b3d,#6bd69e)}
.post{color:light-dark(#0b5cad,#7ab8ff)}
.put,.patch{color:light-dark(#8a4b00,#ffc069)}
.delete{color:light-dark(#b3261e,#ff9d96)}
.other{color:var(--soft)}
dt{font-weight:600}
dd{margin:0 0 .5rem}
dd p{margin:0}
#menu>summary{display:none}
@media (max-width:800px){.layout{display:block}nav{position:static;height:auto;max-height:none;padding:.5rem 1.25rem;border-right:0;border-bottom:1px solid var(--line)}#menu>summary{display:block}main{padding:1rem 1.25rem 4rem}}
@media print{header,nav,.anchor{display:none}.layout{display:block}}
`
