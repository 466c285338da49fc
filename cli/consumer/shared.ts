/** What the commands about consumers share: their arguments, and how contracts are shown. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ConsumerContractRecord } from '../../src/api/consumer-shapes.ts'
import type { Json } from '../../src/document/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { unreadableFile } from '../input/file-error.ts'
import { renderTable } from '../table.ts'
import { plural } from '../../src/plural.ts'

export const projectArgument = { name: 'project', required: true, summary: 'id or slug' } as const
export const consumerArgument = { name: 'consumer', required: true, summary: 'slug or id' } as const
export const versionOption = {
  type: 'string',
  placeholder: 'VERSION',
  summary: 'the version to resolve against: label or id (default: the latest published one)',
} as const

/**
 * The text of a file, or of standard input for "-", without a byte order mark.
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`
 */
export async function readText(name: string, { cwd, io }: Pick<Invocation, 'cwd' | 'io'>): Promise<string> {
  if (name === '-') return new TextDecoder().decode(await io.stdin())
  const path = resolve(cwd, name)
  try {
    return new TextDecoder().decode(await readFile(path))
  } catch (error) {
    throw await unreadableFile(name, path, error)
  }
}

/**
 * The value of a JSON or YAML file, or of standard input for "-".
 * @throws SvcError `usage` with the place of the first fault
 */
export async function readValue(name: string, from: Pick<Invocation, 'cwd' | 'io'>): Promise<Json> {
  const { value, problems } = parseDocument(await readText(name, from), { source: name })
  const problem = problems.find((it) => it.severity === 'error')
  if (problem) {
    const { line, character } = problem.range.start
    const where = `${name === '-' ? 'standard input' : name}:${line + 1}:${character + 1}`
    throw new SvcError('usage', {
      reason: `${where}: ${problem.message} In YAML, a text with braces or brackets has to be quoted: path: "/pets/{id}".`,
    })
  }
  return value
}

type Unresolved = ConsumerContractRecord['unresolved'][number]

const placeOf = (it: Unresolved): string =>
  [it.method ?? '', it.path ?? '', it.status ?? '', it.field ?? ''].filter((part) => part !== '').join(' ')

/** What a contract names and could not be found; "" where everything was. */
export const unresolvedTable = (items: readonly Unresolved[]): string =>
  items.length === 0
    ? ''
    : `\n${items.length} not resolved:\n${renderTable(
        ['REASON', 'WHERE', ''],
        // What a test calls it leads to its cause; without a test the message does.
        items.map((it) => [it.reason, placeOf(it), it.interaction ?? it.message]),
      )}`

/** A contract for a person. */
export const contractText = (contract: ConsumerContractRecord): string => {
  const head = `Revision ${contract.revision} (${contract.source}), against ${contract.version_label}: ${plural(contract.operations_count, 'operation')}, ${plural(contract.fields_count, 'field')}, ${plural(contract.parameters_count, 'parameter')}\n`
  const rows = contract.operations.map((it) => [
    it.method,
    it.path,
    [
      ...it.parameters.map(({ name, in: place }) =>
        place === 'path' ? `{${name}}` : place === 'query' ? `?${name}` : `${place} ${name}`,
      ),
      ...it.request.map(({ field }) => `> ${field}`),
      ...it.responses.flatMap(({ status, fields }) => [status, ...fields.map(({ field }) => `< ${field}`)]),
    ].join(', '),
  ])
  return (
    head +
    (rows.length === 0 ? '' : renderTable(['METHOD', 'PATH', 'USES'], rows)) +
    unresolvedTable(contract.unresolved)
  )
}

/** The details of a consumer that its creation and a change of it take. */
export const detailOptions = {
  description: { type: 'string', placeholder: 'TEXT', summary: 'what it does' },
  owner: { type: 'string', placeholder: 'WHO', summary: 'who is responsible for it' },
  contact: { type: 'string', placeholder: 'WHERE', summary: 'how to contact the owner' },
} as const

/** The details that were given, as a request has them. */
export const detailsOf = (options: {
  readonly description?: string | undefined
  readonly owner?: string | undefined
  readonly contact?: string | undefined
}) => ({
  ...(options.description === undefined ? {} : { description: options.description }),
  ...(options.owner === undefined ? {} : { owner: options.owner }),
  ...(options.contact === undefined ? {} : { contact: options.contact }),
})
