import type { Json } from '../../kernel/json.ts'
import type { Context } from '../context.ts'
import { compareOffers } from './offers.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt, textAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** The tools of an MCP descriptor, by name. */
const toolsOf = (side: Side): ReadonlyMap<string, PlacedValue> => {
  const list = side.at(['tools']) ?? side.at(['result', 'tools'])
  const root = Array.isArray(side.root) ? side.at([]) : null
  return new Map(
    side
      .elements(list ?? root)
      .flatMap((it): [string, PlacedValue][] => (textAt(it, 'name') === null ? [] : [[textAt(it, 'name')!, it]])),
  )
}

/** Hints with what their absence means (MCP 2025-06-18, ToolAnnotations), and which value is the safer guarantee. */
const hints: readonly { readonly word: string; readonly fallback: boolean; readonly safer: boolean }[] = [
  { word: 'readOnlyHint', fallback: false, safer: true },
  { word: 'destructiveHint', fallback: true, safer: false },
  { word: 'idempotentHint', fallback: false, safer: true },
  { word: 'openWorldHint', fallback: true, safer: false },
]

const compareHints = (context: Context, name: string, a: PlacedValue, b: PlacedValue): void => {
  const [base, head] = [context.base.member(a, 'annotations'), context.head.member(b, 'annotations')]
  const [before, after] = [objectAt(base), objectAt(head)]
  /** Where a hint is written; the annotations, or the tool, where it is not. */
  const at = (side: Side, annotations: PlacedValue | null, tool: PlacedValue, word: string): PlacedValue =>
    annotations === null ? tool : (side.member(annotations, word) ?? annotations)
  for (const { word, fallback, safer } of hints) {
    const old = before[word] ?? fallback
    const fresh = after[word] ?? fallback
    if (old === fresh) continue
    context.note(name, {
      direction: null,
      area: 'tool',
      kind: 'annotation',
      action: 'changed',
      base: at(context.base, base, a, word),
      head: at(context.head, head, b, word),
      subject: `\`${word}\` of tool \`${name}\``,
      before: old,
      after: fresh,
      breaking: old === safer,
      ...(old === safer ? { reason: 'clients that allowed the tool because of this hint are no longer safe' } : {}),
    })
  }
}

const schemaAt = (side: Side, place: PlacedValue, word: string): PlacedValue | null => {
  const raw = objectAt(place)
  const value: Json | undefined = raw[word] ?? raw[word.replace('Schema', '_schema')]
  return value === undefined
    ? null
    : (side.member(place, word) ?? side.member(place, word.replace('Schema', '_schema')))
}

/** Compares the tools of two MCP descriptors: what an agent may send, what it gets back, what is guaranteed about it. */
export const compareTools = (context: Context): void => {
  const base = toolsOf(context.base)
  const head = toolsOf(context.head)
  context.docs(null, context.base.at([]), context.head.at([]), [
    'version',
    'name',
    'author',
    'homepage',
    'repository',
    'license',
    'icon',
  ])
  for (const name of [...new Set([...base.keys(), ...head.keys()])].sort()) {
    const a = base.get(name)
    const b = head.get(name)
    if (!a || !b) {
      context.appeared('tool', name, a, b)
      continue
    }
    if (isSameValue(a.value, b.value)) continue
    context.docs(name, a, b, ['_meta', 'icons'])
    context.docs(name, context.base.member(a, 'annotations'), context.head.member(b, 'annotations'))
    compareHints(context, name, a, b)
    for (const [word, direction] of [
      ['inputSchema', 'request'],
      ['outputSchema', 'response'],
    ] as const) {
      const left = schemaAt(context.base, a, word)
      const right = schemaAt(context.head, b, word)
      if (!left && !right) continue
      const nothing = (owner: PlacedValue): PlacedValue => ({ value: true, path: owner.path })
      const use = { direction, fromClient: direction === 'request' }
      context.collector.take(context.schemas.compare([left ?? nothing(a)], [right ?? nothing(b)], use), name)
    }
  }
  compareOffers(context)
}
