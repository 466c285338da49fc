/** The texts of `svc stats`. */
import type { Share } from '../../src/stats/api.ts'
import type { Stats } from '../../src/stats/stats.ts'
import { plural } from '../../src/kernel/plural.ts'
import { renderFacts, renderTable } from '../table.ts'

/** A document with its numbers. */
export interface Counted extends Stats {
  readonly file: string
  /** How many files it is made of. */
  readonly files: number
}

const percent = ({ count, of }: Share): string =>
  of === 0 ? 'none' : `${Math.floor((100 * count) / of)} % (${count} of ${of})`

const formatOf = ({ format }: Stats): string => (format === null ? 'unknown' : `${format.kind} ${format.version}`)

const mostListed = 20

const listed = (names: readonly string[]): string =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`

const counts = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const apiFacts = ({ api }: Counted): [string, string | null][] => {
  if (api === null) return []
  const { tags, coverage } = api
  return [
    ['Paths', String(api.paths)],
    ['Operations', `${api.operations}${api.operations === 0 ? '' : ` (${counts(api.methods)})`}`],
    ['Deprecated operations', api.deprecatedOperations === 0 ? null : String(api.deprecatedOperations)],
    ['Webhooks', api.webhooks === 0 ? null : String(api.webhooks)],
    ['Parameters', plural(api.parameters, 'name')],
    ['Tags', `${tags.declared} declared, ${tags.used} used`],
    ['Tags not declared', tags.undeclared.length === 0 ? null : listed(tags.undeclared)],
    ['Tags not used', tags.unused.length === 0 ? null : listed(tags.unused)],
    ['Servers', String(api.servers)],
    ['Security schemes', String(api.securitySchemes)],
    ['With an operationId', percent(coverage.operationIds)],
    ['With a summary', percent(coverage.summaries)],
    ['With a description', percent(coverage.descriptions)],
    ['Described parameters', percent(coverage.parameterDescriptions)],
    ['Bodies with an example', percent(coverage.examples)],
    ['Secured operations', percent(coverage.secured)],
  ]
}

/** All numbers of one document. */
export const renderOne = (counted: Counted): string =>
  renderFacts([
    ['Document', counted.file],
    ['Format', formatOf(counted)],
    ['Files', counted.files === 1 ? null : String(counted.files)],
    ['Size', `${counted.characters.toLocaleString('en')} characters, ${counted.depth} levels`],
    ...apiFacts(counted),
    ...(counted.workflows === null
      ? []
      : ([['Workflows', `${counted.workflows.workflows} with ${plural(counted.workflows.steps, 'step')}`]] as const)),
    ['Schemas', `${counted.schemas.named} named, ${counted.schemas.total} in all`],
    ['Described schemas', counted.schemas.named === 0 ? null : percent(counted.schemas.described)],
    [
      'Described properties',
      counted.schemas.propertiesDescribed.of === 0 ? null : percent(counted.schemas.propertiesDescribed),
    ],
    ['Components', Object.keys(counted.components).length === 0 ? null : counts(counted.components)],
    ['Unused components', counted.unused.length === 0 ? '0' : `${counted.unused.length}: ${listed(counted.unused)}`],
    ['References', `${counted.references.total} (${counted.references.distinct} distinct)`],
    [
      'References that cannot be resolved',
      counted.references.unresolved === 0 ? null : String(counted.references.unresolved),
    ],
    ['Longest chain of schemas', String(counted.references.longest)],
    ['External documentation', counted.externalDocs === 0 ? null : String(counted.externalDocs)],
    ['Extensions', Object.keys(counted.extensions).length === 0 ? null : counts(counted.extensions)],
  ])

const cell = (value: number | undefined): string => (value === undefined ? '-' : String(value))
const part = (share: Share | undefined): string =>
  share === undefined || share.of === 0 ? '-' : `${Math.floor((100 * share.count) / share.of)} %`

/** One line for each document. */
export const renderMany = (all: readonly Counted[]): string =>
  renderTable(
    [
      'DOCUMENT',
      'FORMAT',
      'PATHS',
      'OPERATIONS',
      'PARAMETERS',
      'SCHEMAS',
      'REFERENCES',
      'UNUSED',
      'DESCRIBED',
      'EXAMPLES',
      'SECURED',
    ],
    all.map((entry) => [
      entry.file,
      formatOf(entry),
      cell(entry.api?.paths),
      cell(entry.api?.operations),
      cell(entry.api?.parameters),
      cell(entry.schemas.named),
      cell(entry.references.total),
      cell(entry.unused.length),
      part(entry.api?.coverage.descriptions),
      part(entry.api?.coverage.examples),
      part(entry.api?.coverage.secured),
    ]),
  )
