/** What `svc type impact` reads and shows. */
import type { PrimitiveImpact } from '../../src/api/primitive-impact-shapes.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { renderTable } from '../table.ts'

const mostShown = 100
const longestWitness = 200

/**
 * The schema that a text is.
 * @throws SvcError `document-invalid` with the place of the first error
 */
export function schemaIn(text: string, source: string): Readonly<Record<string, unknown>> | boolean {
  const { value, problems } = parseDocument(text, { source })
  const error = problems.find(({ severity }) => severity === 'error')
  if (error !== undefined) {
    const { line, character } = error.range.start
    throw new SvcError('document-invalid', {
      reason: `${source}:${line + 1}:${character + 1}: ${error.message.replace(/\.$/, '')}`,
    })
  }
  if (typeof value === 'boolean' || isObject(value)) return value
  throw new SvcError('document-invalid', { reason: `${source} is not a schema: an object, true or false` })
}

const verdicts = { safe: 'safe', breaking: 'breaking', unknown: 'undecided' } as const

function witnessText(witness: Json | undefined): string {
  if (!isObject(witness)) return ''
  const { value, acceptedBy } = witness
  const text = JSON.stringify(value)
  const shown = text.length > longestWitness ? `${text.slice(0, longestWitness)}…` : text
  return `${shown} is valid ${acceptedBy === 'base' ? 'now and not with the new schema' : 'with the new schema and not now'}`
}

/** The impact as a person reads it: what the type changes, then versions and types, the worst first. */
export function impactText(impact: PrimitiveImpact): string {
  const { primitive, revision, verdict, change, versions, primitives, counts, not_considered: left } = impact
  const own =
    change === null
      ? `${primitive} allows the same values as revision ${revision}.\n`
      : `${primitive}: ${verdicts[change.verdict]} against revision ${revision}.\n`
  const witness = witnessText(change?.witness as Json | undefined)
  const rows = versions
    .slice(0, mostShown)
    .map((entry) => [
      `${entry.project}@${entry.version}`,
      entry.status,
      verdicts[entry.verdict],
      entry.directions.join(', '),
      entry.operations.slice(0, 3).join(', ') +
        (entry.operations.length > 3 ? ` and ${entry.operations.length - 3} more` : ''),
      entry.consumers.join(', '),
    ])
  const types = primitives.map((it) => [it.ref, String(it.depth), verdicts[it.verdict]])
  const table =
    rows.length === 0
      ? 'No version uses it.\n'
      : `\n${renderTable(['VERSION', 'STATUS', 'VERDICT', 'DIRECTION', 'OPERATIONS', 'CONSUMERS'], rows)}`
  const more =
    versions.length > mostShown ? `and ${plural(versions.length - mostShown, 'version')} more; use --json.\n` : ''
  const users = types.length === 0 ? '' : `\n${renderTable(['TYPE', 'DEPTH', 'VERDICT'], types)}`
  const missing = left.map(({ name, reason }) => `${name} was not compared: ${reason.replace(/\.$/, '')}.\n`).join('')
  const sentence = `${plural(counts.versions, 'version')}: ${counts.breaking} breaking, ${counts.unknown} undecided, ${counts.safe} safe. Verdict: ${verdicts[verdict]}.\n`
  return `${own}${witness === '' ? '' : `  ${witness}\n`}${table}${more}${users}\n${missing}${sentence}`
}
