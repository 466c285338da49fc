/** The texts of `svc stats`. */
import type { Share } from '../../src/stats/api.ts'
import type { Stats } from '../../src/stats/stats.ts'
import { plural } from '../../src/plural.ts'
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
export const renderOne = (it: Counted): string =>
  renderFacts([
    ['Document', it.file],
    ['Format', formatOf(it)],
    ['Files', it.files === 1 ? null : String(it.files)],
    ['Size', `${it.characters.toLocaleString('en')} characters, ${it.depth} levels`],
    ...apiFacts(it),
    ...(it.workflows === null
      ? []
      : ([['Workflows', `${it.workflows.workflows} with ${plural(it.workflows.steps, 'step')}`]] as const)),
    ['Schemas', `${it.schemas.named} named, ${it.schemas.total} in all`],
    ['Described schemas', it.schemas.named === 0 ? null : percent(it.schemas.described)],
    ['Described properties', it.schemas.propertiesDescribed.of === 0 ? null : percent(it.schemas.propertiesDescribed)],
    ['Components', Object.keys(it.components).length === 0 ? null : counts(it.components)],
    ['Unused components', it.unused.length === 0 ? '0' : `${it.unused.length}: ${listed(it.unused)}`],
    ['References', `${it.references.total} (${it.references.distinct} distinct)`],
    ['References that cannot be resolved', it.references.unresolved === 0 ? null : String(it.references.unresolved)],
    ['Longest chain of schemas', String(it.references.longest)],
    ['External documentation', it.externalDocs === 0 ? null : String(it.externalDocs)],
    ['Extensions', Object.keys(it.extensions).length === 0 ? null : counts(it.extensions)],
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
    all.map((it) => [
      it.file,
      formatOf(it),
      cell(it.api?.paths),
      cell(it.api?.operations),
      cell(it.api?.parameters),
      cell(it.schemas.named),
      cell(it.references.total),
      cell(it.unused.length),
      part(it.api?.coverage.descriptions),
      part(it.api?.coverage.examples),
      part(it.api?.coverage.secured),
    ]),
  )
