import { expect, test } from 'bun:test'
import { escapeHtml, safeHtml } from '../../../../src/render/reference/safe-html.ts'

test('a text is escaped for tags and attributes', () => {
  expect(escapeHtml(`<a href="x" id='y'>&`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;')
})

/** Texts of documents, and what a page shows of them. */
const cases: readonly (readonly [markdown: string, html: string])[] = [
  ['', ''],
  ['plain & simple', '<p>plain &amp; simple</p>\n'],
  [
    '**bold** `code` https://example.com',
    '<p><strong>bold</strong> <code>code</code> <a href="https://example.com" rel="noreferrer nofollow">https://example.com</a></p>\n',
  ],
  ['# Heading', '<p><strong>Heading</strong></p>\n'],
  ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
  ['<p>From <b>HTML</b></p>', '<p>From <b>HTML</b></p>'],
  ['<b>never closed', '<p><b>never closed</b></p><b>\n</b>'],
  ['</div></section><i>out</i>', '<i>out</i>\n'],
  ['a <script>alert(1)</script> b', '<p>a  b</p>\n'],
  ['<img src=x onerror=alert(1)>![alt](https://example.com/a.png)', '<p>alt</p>\n'],
  ['[x](javascript:alert(1))', '<p><span>x</span></p>\n'],
  ['<a href="java\tscript:alert(1)" onclick="alert(1)" id="content">x</a>', '<p><span>x</span></p>\n'],
  ['[x](/local) [y](#search)', '<p><span>x</span> <span>y</span></p>\n'],
  ['<svg onload=alert(1)><style>*{display:none}</style></svg>x', '<p>x</p>\n'],
  ['<iframe src="https://example.com"></iframe><form action="/x"><input name=a></form>y', 'y'],
  ['<p style="position:fixed" class="skip" onmouseover=alert(1)>z</p>', '<p>z</p>'],
  ['<td>no table', 'no table'],
  ['<<script>alert(1)//<</script>', '<p>&#x3C;</p>\n'],
  ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<p></p>'],
]

for (const [markdown, html] of cases)
  test(JSON.stringify(markdown), () => {
    expect(safeHtml(markdown).trim()).toBe(html.trim())
  })
