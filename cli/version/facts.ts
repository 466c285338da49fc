import type { Gate, VersionRecord } from '../../src/api/versions.ts'
import { plural } from '../../src/kernel/plural.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

/** The arguments of every command about one version. */
export const versionArguments = [
  { name: 'project', required: true, summary: 'id or slug' },
  { name: 'version', required: true, summary: 'id, label or slug, or "latest"' },
] as const

const shownWarnings = 10

const marks = { pass: 'pass', warn: 'WARN', fail: 'FAIL', skipped: 'skip', unknown: 'UNDECIDED' } as const

/** Gates as a table; what could not be decided is never shown as passed. */
export const gateTable = (gates: readonly Gate[]): string =>
  renderTable(
    ['GATE', 'RESULT', ''],
    gates.map((gate) => [gate.id, marks[gate.status], gate.message]),
  )

const time = (iso: string | null): string | null => (iso === null ? null : shortTime(iso))

type Overlay = NonNullable<VersionRecord['provenance']['lineage']>['overlays'][number]

const overlayFact = ({ title, source, actions, matches, digest }: Overlay): string =>
  `${title} (${source}): ${plural(actions, 'action')}, ${plural(matches, 'place')}, ${digest}`

/** A version as a person reads it: state, grade, where it came from, addresses. */
export function versionFacts(version: VersionRecord): string {
  const { provenance } = version
  const { warnings } = provenance
  const facts = renderFacts([
    ['Version', `${version.project_slug}@${version.label}`],
    ['Title', version.title],
    ['Id', version.id],
    ['Status', `${version.status}, ${version.visibility}`],
    ['Format', `${version.format.kind} ${version.format.version}`],
    ['Grade', version.grade === null ? 'none' : `${version.grade} (${version.score} of 100)`],
    ['Operations', String(version.operations_count)],
    ['Classes', String(version.classes_count)],
    ['Digest', version.digest],
    ['Source', `${provenance.source}, ${version.size_bytes} bytes`],
    ['Path', provenance.path ?? null],
    ['Files', provenance.files === undefined ? null : String(provenance.files)],
    ['Commit', provenance.commit],
    ['Base', provenance.lineage?.base_digest ?? null],
    ...(provenance.lineage?.overlays ?? []).map((it, at): [string, string] => [`Overlay ${at + 1}`, overlayFact(it)]),
    ['Named by', provenance.project_name_field ?? null],
    ['Importer', `${provenance.importer}, ${shortTime(provenance.imported_at)}`],
    ['Created', shortTime(version.created_at)],
    ['Published', time(version.published_at)],
    ['Deprecated', time(version.deprecated_at)],
    ['Sunset', time(version.sunset_at)],
    ['Replacement', version.replacement],
    ['Document', version.urls.document],
    ['Page', version.urls.page],
    ['Warnings', warnings.length === 0 ? null : `${warnings.length} of the conversion`],
  ])
  const shown = warnings.slice(0, shownWarnings).map((it) => `  ${it.code} at ${it.pointer || '/'}: ${it.message}\n`)
  const more = warnings.length - shown.length
  return `${facts}${shown.join('')}${more > 0 ? `  … ${more} more: --json has all\n` : ''}`
}
