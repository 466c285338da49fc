import type { McpSurfaceDiff } from '../../src/api/mcp-server-shapes.ts'
import { plural } from '../../src/kernel/plural.ts'
import { oneLine } from '../../src/report/escape.ts'
import { shortPrint } from './shared.ts'

type Item = McpSurfaceDiff['items'][number]

const marks: Readonly<Record<Item['action'], string>> = { added: '+', removed: '-', changed: '~' }

/** A text difference on one line: what went in [-…-], what came in {+…+}. */
const textLine = ({ pointer, parts, hidden }: Item['texts'][number]): string => {
  const shown = parts.map(({ kind, text }) => {
    if (kind === 'same') return text.length > 60 ? `${text.slice(0, 25)} … ${text.slice(-25)}` : text
    return kind === 'added' ? `{+${text}+}` : `[-${text}-]`
  })
  const warning = hidden.length === 0 ? '' : `\n      hidden: ${hidden.join('; ')}`
  return `    ${pointer}: ${oneLine(shown.join(''))}${warning}\n`
}

function itemText(item: Item): string {
  const changes = item.changes.map((change) => {
    const { value: example } = (change.witness ?? {}) as { readonly value?: unknown }
    const value = example === undefined ? '' : `\n      for example ${oneLine(JSON.stringify(example))}`
    return `    ${change.severity}: ${oneLine(change.message)}${value}\n`
  })
  const rest = item.change_count - item.changes.length
  const more = rest > 0 ? `    … ${plural(rest, 'more change')}\n` : ''
  return `  ${marks[item.action]} ${item.kind} ${item.key} (${item.severity})\n${changes.join('')}${more}${item.texts.map(textLine).join('')}`
}

/** A comparison of surfaces as people read it. */
export function diffText(diff: Omit<McpSurfaceDiff, 'endpoint_id'>): string {
  const sides = `${shortPrint(diff.from)} → ${shortPrint(diff.to)}`
  if (diff.is_same) return `${sides}: the same.\n`
  const counts = Object.entries(diff.counts)
    .filter(([, n]) => n > 0)
    .map(([severity, n]) => `${n} ${severity}`)
    .join(', ')
  const meaning = diff.is_same_meaning ? ' Names and schemas are the same.' : ''
  const more = diff.more > 0 ? `  … ${plural(diff.more, 'more item')}\n` : ''
  return `${sides}: ${counts === '' ? 'changed' : counts}.${meaning}\n${diff.items.map(itemText).join('')}${more}`
}
