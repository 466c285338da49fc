import type { Change, ChangeSeverity } from '../../diff/change.ts'
import { mostNamed } from '../../diff/written.ts'
import type { ChangeReport } from '../report.ts'
import { plural } from '../../kernel/plural.ts'
import {
  groupChanges,
  headlineOf,
  hitLine,
  exampleOf,
  lineOf,
  placeOf,
  tellOnce,
  withSeverity,
  type ToldChange,
} from './outline.ts'
import { escapeMarkup } from '../escape.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2328;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:1.5rem}code{font-family:ui-monospace,monospace;background:#f3f4f6;padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}
.breaking h1{color:#b42318}.id{color:#59636e;font-size:.85em}.proof{color:#59636e}summary{cursor:pointer;margin-top:1rem}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}code{background:#21262d}.breaking h1{color:#ff7b72}.id,.proof{color:#9198a1}}`

// Messages contain names between backticks.
const sentence = (text: string): string => escapeMarkup(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')

const item = (change: ToldChange, report: ChangeReport): string => {
  const proof = change.witness
    ? `<div class="proof">example: <code>${escapeMarkup(exampleOf(change.witness))}</code>, valid for the ${change.witness.acceptedBy} document only</div>`
    : ''
  const hits = hitLine(change, report)
  const hit = hits === null ? '' : `<div>${escapeMarkup(hits)}</div>`
  const mark = change.classification === 'unknown' ? ' <strong>undecided</strong>' : ''
  const place = placeOf(change, report)
  const notes = [
    change.direction,
    change.id,
    place && lineOf(place),
    change.alike === 1 ? null : `${change.alike} changes`,
  ]
    .filter((it) => it !== null)
    .join(' · ')
  return `<li>${sentence(change.message)}${mark} <span class="id">${escapeMarkup(notes)}</span>${proof}${hit}</li>`
}

const operationList = (operations: readonly string[]): string =>
  operations.length <= 2
    ? ''
    : `<details><summary>${operations.length} operations</summary>\n<ul>\n${operations
        .slice(0, mostNamed)
        .map((it) => `<li><code>${escapeMarkup(it)}</code></li>`)
        .join(
          '\n',
        )}${operations.length > mostNamed ? `\n<li>and ${operations.length - mostNamed} more</li>` : ''}\n</ul>\n</details>\n`

const groups = (changes: readonly Change[], report: ChangeReport): string =>
  groupChanges(tellOnce(changes))
    .map(
      (group, index, all) =>
        `${group.file !== null && group.file !== all[index - 1]?.file ? `<h2 class="file"><code>${escapeMarkup(group.file)}</code></h2>\n` : ''}<h${group.file === null ? 2 : 3}>${escapeMarkup(group.title)}</h${group.file === null ? 2 : 3}>\n${operationList(group.operations)}<ul>\n${group.changes.map((it) => item(it, report)).join('\n')}\n</ul>`,
    )
    .join('\n')

const folded = (report: ChangeReport, severity: ChangeSeverity, noun: string): string => {
  const changes = withSeverity(report, severity)
  return changes.length === 0
    ? ''
    : `<details><summary>${plural(changes.length, noun)}</summary>\n${groups(changes, report)}\n</details>\n`
}

/** One page that needs nothing else: no script, no other file. */
export const changesAsHtml = (report: ChangeReport): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeMarkup(headlineOf(report))}</title>
<style>${style}</style></head>
<body class="${report.maxSeverity ?? 'identical'}">
<h1>${escapeMarkup(headlineOf(report))}</h1>
<p>${escapeMarkup(report.verdict)} <code>${escapeMarkup(report.base)}</code> → <code>${escapeMarkup(report.head)}</code></p>
${groups(withSeverity(report, 'breaking'), report)}
${folded(report, 'non-breaking', 'non-breaking change')}${folded(report, 'docs-only', 'documentation change')}</body>
</html>
`
