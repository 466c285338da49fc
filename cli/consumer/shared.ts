/** What the commands about consumers share: their arguments, and how contracts are shown. */
import type { Static } from '@sinclair/typebox'
import type { AvailableSurface, ConsumerContractRecord } from '../../src/api/consumer-shapes.ts'
import { renderTable } from '../table.ts'
import { plural } from '../../src/kernel/plural.ts'

export const projectArgument = { name: 'project', required: true, summary: 'id or slug' } as const
export const consumerArgument = { name: 'consumer', required: true, summary: 'slug or id' } as const
export const versionOption = {
  type: 'string',
  placeholder: 'VERSION',
  summary: 'the version to resolve against: label or id (default: the latest published one)',
} as const

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
  const rows = contract.operations.map((operation) => [
    operation.method,
    operation.path,
    [
      ...operation.parameters.map(({ name, in: place }) => {
        if (place === 'path') return `{${name}}`
        return place === 'query' ? `?${name}` : `${place} ${name}`
      }),
      ...operation.request.map(({ field }) => `> ${field}`),
      ...operation.responses.flatMap(({ status, fields }) => [status, ...fields.map(({ field }) => `< ${field}`)]),
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

/** What consumers can declare of each operation, for a person. */
export function surfaceText(surface: Static<typeof AvailableSurface>): string {
  const lines = [`${surface.version_label}: ${surface.operations.length} of ${plural(surface.total, 'operation')}`]
  for (const operation of surface.operations) {
    const cut = operation.truncated ? '  (cut: more fields can be named)' : ''
    lines.push('', `${operation.method} ${operation.path}${cut}`)
    for (const { name, in: place, type, required } of operation.parameters)
      lines.push(`  ${place} ${name}: ${type}${required ? ', required' : ''}`)
    for (const { field, type, required } of operation.request)
      lines.push(`  > ${field}: ${type}${required ? ', required' : ''}`)
    for (const { status, fields } of operation.responses)
      lines.push(`  ${status}`, ...fields.map(({ field, type }) => `  < ${field}: ${type}`))
  }
  return `${lines.join('\n')}\n`
}
