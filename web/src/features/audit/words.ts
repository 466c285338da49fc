import { capitalized } from '../../parts/text.ts'
const word = (part: string): string => part.replaceAll('-', ' ')

// Names that are not the words of the action itself.
const kinds: Readonly<Record<string, string>> = {
  'api-key': 'API key',
  'mcp-key': 'MCP key',
  'mcp-capabilities': 'Tools of MCP keys',
  'mcp-server': 'MCP server',
  'mcp-registry': 'MCP registry',
  tenant: 'Organization',
  primitive: 'Type',
  primitives: 'Types',
  release: 'Gateway release',
  enforcer: 'Gateway',
}

/** Actions that are said in other words altogether. */
const whole: Readonly<Record<string, string>> = {
  'bin.restored': 'Restored from the bin',
  'bin.deleted': 'Deleted permanently',
}

/** An action as a person says it: "API key created", "Version published by force". */
export const actionWords = (action: string): string => {
  const [kind = '', ...rest] = action.split('.')
  return whole[action] ?? [kinds[kind] ?? capitalized(word(kind)), ...rest.map(word)].join(' ')
}

/** The day of an instant where the reader is: "Today", "Yesterday", else its date. */
export const dayWords = (at: string, now: number, language?: string): string => {
  const startOf = (instant: number): number => new Date(instant).setHours(0, 0, 0, 0)
  const days = Math.round((startOf(now) - startOf(Date.parse(at))) / 86_400_000)
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return days === 0 || days === 1
    ? capitalized(words.format(-days, 'day'))
    : new Date(at).toLocaleDateString(language, { dateStyle: 'full' })
}

/** A value as a person writes it: lists with commas, parts with their names, never as JSON. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([key, part]) => `${word(key.replaceAll('_', ' '))} ${textOf(part)}`)
    .join(', ')
}

/** A fact of an event: its name in words, and its value, whole and as it is shown. */
export interface EventFact {
  readonly name: string
  readonly text: string
  readonly whole: string
}

/** What an event says beside its target: nothing that is empty, and nothing that the name of the target says already. */
export const detailsOf = (detail: Readonly<Record<string, unknown>>, target: string | null): EventFact[] =>
  Object.entries(detail).flatMap(([key, value]) => {
    const whole = value === null ? '' : textOf(value)
    if (whole === '' || whole === target || target?.endsWith(`@${whole}`) === true) return []
    const name = key
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase()
    return [{ name, whole, text: /^sha256:[0-9a-f]{64}$/.test(whole) ? `${whole.slice(0, 19)}…` : whole }]
  })

/** Rows in groups of neighbours that have the same name. */
export const inGroups = <T>(rows: readonly T[], nameOf: (row: T) => string): { name: string; rows: T[] }[] => {
  const groups: { name: string; rows: T[] }[] = []
  for (const row of rows) {
    const name = nameOf(row)
    const last = groups.at(-1)
    if (last?.name === name) last.rows.push(row)
    else groups.push({ name, rows: [row] })
  }
  return groups
}
