import { binApi, type BinEntry } from '../../src/api/bin.ts'
import { binDays, binKinds, binKindNames, type BinKind } from '../../src/api/bin-kinds.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { renderTable, shortTime } from '../table.ts'

export const entryArgument = {
  name: 'entry',
  required: true,
  summary: 'id, or the slug, label, handle, name or URL that it had',
} as const

export const kindOption = {
  type: 'string',
  placeholder: 'KIND',
  choices: binKinds,
  summary: 'only this kind, where several have the same name',
} as const

/** What to do to have something back that was just deleted. */
export const restoreHint = (ref: string): string =>
  `You can restore it for ${binDays} days: svc bin restore ${/^[\w.@:/-]+$/.test(ref) ? ref : `"${ref}"`}\n`

/** What an entry is called: a draft and a consumer with their project. */
export const nameOf = ({ kind, ref, project_slug: project }: BinEntry): string =>
  `${binKindNames[kind]} ${project === null ? ref : `${project}@${ref}`}`

/**
 * Finds an entry by its id, or by what it was called.
 * @throws SvcError `bin-entry-not-found`, `usage` where several are called so
 */
export async function findEntry(
  call: Call,
  tenant: string,
  given: string,
  kind: BinKind | undefined,
): Promise<BinEntry> {
  const found: BinEntry[] = []
  for (let offset = 0; ; offset += 200) {
    const query = { limit: 200, offset, ...(kind === undefined ? {} : { kind }) }
    const { items, total } = await call(binApi.list, { params: { tenant_slug: tenant }, query })
    const exact = items.find(({ id }) => id === given)
    if (exact) return exact
    found.push(...items.filter(({ ref, name, project_slug: slug }) => [ref, name, `${slug}@${ref}`].includes(given)))
    if (items.length === 0 || offset + items.length >= total) break
  }
  const [first, ...more] = found
  if (first === undefined) throw new SvcError('bin-entry-not-found', { entry: given })
  if (more.length === 0) return first
  const ids = found.map((it) => `${it.id} (${nameOf(it)}, deleted ${shortTime(it.deleted_at)})`).join(', ')
  throw new SvcError('usage', { reason: `The bin has ${found.length} entries called "${given}"; give an id: ${ids}.` })
}

const contents = ({ counts }: BinEntry): string =>
  Object.entries(counts)
    .map(([what, n]) => plural(n, what.replace(/s$/, '')))
    .join(', ')

/** Entries as a table. */
export const renderEntries = (entries: readonly BinEntry[]): string =>
  renderTable(
    ['KIND', 'NAME', 'CONTAINS', 'DELETED', 'BY', 'RESTORE UNTIL', 'ID'],
    entries.map((entry) => [
      binKindNames[entry.kind],
      entry.project_slug === null ? entry.ref : `${entry.project_slug}@${entry.ref}`,
      contents(entry),
      shortTime(entry.deleted_at),
      entry.deleted_by?.name ?? '–',
      entry.expires_at.slice(0, 10),
      entry.id,
    ]),
  )
