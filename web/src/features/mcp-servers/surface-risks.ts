/** What of a new surface deserves a second look before it is approved: risk, not size. */
import type { Output } from '../../../../src/api/endpoint.ts'
import type { lintApi } from '../../../../src/api/lint.ts'
import type { McpSurfaceDiff } from '../../../../src/api/mcp-server-shapes.ts'
import type { mcpServersApi } from '../../../../src/api/mcp-servers.ts'

type ChangedItem = McpSurfaceDiff['items'][number]
type Surface = Output<typeof mcpServersApi.surface>
type Change = ChangedItem['changes'][number]
type SurfaceFinding = Output<typeof lintApi.mcp>['findings'][number]

/** A reason to look again; danger goes before the others. */
interface Risk {
  readonly tone: 'danger' | 'warn'
  readonly text: string
}

/** An item of a comparison with its risks, and what the style guide finds in it. */
export interface RatedItem {
  readonly item: ChangedItem
  readonly risks: readonly Risk[]
  readonly findings: readonly SurfaceFinding[]
}

const lists = { tool: 'tools', resource: 'resources', template: 'resourceTemplates', prompt: 'prompts' } as const
const keys = { tool: 'name', resource: 'uri', template: 'uriTemplate', prompt: 'name' } as const

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const partOf = (surface: Surface, { kind, key }: ChangedItem): unknown =>
  surface[lists[kind]].find((it) => asRecord(it)[keys[kind]] === key)

/** MCP 2025-11-25: a tool may destroy unless it says that it only reads, or that it does not. Nothing checks what it says. */
function riskOfAdded(tool: unknown): Risk {
  const { readOnlyHint, destructiveHint } = asRecord(asRecord(tool)['annotations'])
  if (readOnlyHint === true) return { tone: 'warn', text: 'New tool; it says that it only reads' }
  return destructiveHint === false
    ? { tone: 'warn', text: 'New tool; it says that it deletes nothing' }
    : { tone: 'danger', text: 'New tool that may delete or overwrite' }
}

const isBelow = ({ base_pointer: base, head_pointer: head }: Change, ...parts: readonly string[]): boolean =>
  parts.some((part) => [base, head].some((it) => it === `/${part}` || it?.startsWith(`/${part}/`) === true))

/** What breaks nobody may still give a tool more than was approved: what callers may send, or what comes back. */
function isWider(change: Change, what: 'arguments' | 'answers'): boolean {
  if (change.severity === 'docs-only') return false
  return what === 'arguments'
    ? change.classification !== 'breaking' && isBelow(change, 'inputSchema', 'input_schema')
    : change.classification !== 'safe' && isBelow(change, 'outputSchema', 'output_schema')
}

const isOfAnnotations = (change: Change): boolean =>
  change.id === 'tool-annotation-changed' || isBelow(change, 'annotations')

/** What the changes of a part that stays add to what was approved. */
function risksOfChanges({ changes, change_count: all }: ChangedItem): Risk[] {
  const annotations = changes.filter(isOfAnnotations)
  const withdrawn = annotations.some(({ severity }) => severity === 'breaking')
  return [
    ...(withdrawn ? [{ tone: 'danger', text: 'Takes back a safer annotation' } as const] : []),
    ...(annotations.length > 0 && !withdrawn ? [{ tone: 'warn', text: 'Annotations changed' } as const] : []),
    ...(changes.some((it) => isWider(it, 'arguments'))
      ? [{ tone: 'warn', text: 'Arguments may be wider' } as const]
      : []),
    ...(changes.some((it) => isWider(it, 'answers')) ? [{ tone: 'warn', text: 'Answers may be wider' } as const] : []),
    ...(all > changes.length ? [{ tone: 'warn', text: 'Not all changes are shown' } as const] : []),
  ]
}

/** The rules that find orders to a model in a text. */
const rulesOfOrders: ReadonlySet<string> = new Set(['mcp-plain-descriptions', 'mcp-foreign-tool'])

function risksOf(item: ChangedItem, surface: Surface, findings: readonly SurfaceFinding[]): Risk[] {
  const { action, kind, texts } = item
  const orders = texts.length > 0 && findings.some(({ code }) => rulesOfOrders.has(code))
  return [
    ...(action === 'added' && kind === 'tool' ? [riskOfAdded(partOf(surface, item))] : []),
    ...(action === 'changed' ? risksOfChanges(item) : []),
    ...(orders ? [{ tone: 'danger', text: 'Text for the model reads like an instruction' } as const] : []),
    ...(texts.some(({ hidden }) => hidden.length > 0)
      ? [{ tone: 'danger', text: 'Hidden characters in text for the model' } as const]
      : []),
    ...(action !== 'removed' && texts.length > 0
      ? [{ tone: 'warn', text: action === 'added' ? 'New text for the model' : 'Text for the model changed' } as const]
      : []),
  ]
}

const findingsOf = (
  { kind, key }: ChangedItem,
  surface: Surface,
  findings: readonly SurfaceFinding[],
): SurfaceFinding[] =>
  findings.filter(({ path: [list, index] }) => {
    if (list !== lists[kind] || typeof index !== 'number') return false
    return asRecord(surface[lists[kind]][index])[keys[kind]] === key
  })

type Level = 'high' | 'raised' | 'low'

/** How many parts there are of the levels that deserve a look. */
export interface Levels {
  readonly high: number
  readonly raised: number
}

/** How much harm a changed part may do. */
export function levelOf({ risks, findings, item }: RatedItem): Level {
  if (risks.some(({ tone }) => tone === 'danger') || findings.some(({ severity }) => severity === 'error'))
    return 'high'
  return risks.length > 0 || item.severity === 'breaking' ? 'raised' : 'low'
}

/** How many of them may do harm, and how many deserve a second look. */
export const countLevels = (items: readonly RatedItem[]): Levels => ({
  high: items.filter((it) => levelOf(it) === 'high').length,
  raised: items.filter((it) => levelOf(it) === 'raised').length,
})

const order: readonly Level[] = ['high', 'raised', 'low']
const tones: readonly Risk['tone'][] = ['danger', 'warn']

/**
 * The items of a comparison with their risks, those that may do harm first.
 * @param surface the later one
 * @param findings what the style guide finds in it; none where another surface was checked
 */
export const rateItems = (
  items: readonly ChangedItem[],
  surface: Surface,
  findings: readonly SurfaceFinding[],
): RatedItem[] =>
  items
    .map((item) => {
      const own = findingsOf(item, surface, findings)
      const risks = risksOf(item, surface, own).toSorted((a, b) => tones.indexOf(a.tone) - tones.indexOf(b.tone))
      return { item, risks, findings: own }
    })
    .toSorted((a, b) => order.indexOf(levelOf(a)) - order.indexOf(levelOf(b)))

/** The names of the tools that a surface adds: whoever approves it ticks each. */
export const addedTools = (items: readonly ChangedItem[]): string[] =>
  items.filter(({ action, kind }) => action === 'added' && kind === 'tool').map(({ key }) => key)
