/** Documents of versions that the service or the workspace has. */
import { projectsApi } from '../../src/api/projects.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import type { Invocation } from '../declare.ts'
import { MissingSide, unreadable, type SourceText } from './document-source.ts'
import { TypeReader } from './types.ts'

type Around = Pick<Invocation, 'connection'>
type Reading = Pick<Invocation, 'connection' | 'globals' | 'env' | 'cwd' | 'io'>

/** The names by which projects of the tenant are found, as far as one page lists them. */
export async function projectNames({ connection }: Around): Promise<readonly string[]> {
  const { call, tenant } = await connection()
  const { items } = await call(projectsApi.list, { params: { tenant_slug: await tenant() }, query: { limit: 200 } })
  return items.map(({ slug }) => slug)
}

async function versionNames(project: string, { connection }: Around): Promise<readonly string[]> {
  const { call, tenant } = await connection()
  const params = { tenant_slug: await tenant(), project_ref: project }
  const { items } = await call(versionsApi.list, { params, query: { limit: 200 } })
  return items.map(({ label }) => label)
}

/** The error of the service, with what was probably meant. */
export async function explainMissing(
  error: SvcError,
  project: string,
  version: string,
  around: Around,
): Promise<SvcError> {
  const name = `${project}@${version}`
  if (error.code === 'project-not-found') {
    const near = suggest(project, await projectNames(around))
    if (near === null) return error
    return new MissingSide(name, `there is no project "${project}"; did you mean ${near}@${version}?`)
  }
  const labels = await versionNames(project, around)
  if (version === 'latest' && labels.length > 0)
    return new MissingSide(
      name,
      `no version of "${project}" is published; name a draft, for instance ${project}@${labels[0]}`,
    )
  const near = suggest(version, labels)
  if (near === null) return error
  return new MissingSide(name, `"${project}" has no version "${version}"; did you mean ${project}@${near}?`)
}

/**
 * The document of a version, named by its project and label whatever it was asked for by.
 * @throws MissingSide or SvcError `project-not-found`, `version-not-found` where there is none; and what the service answers
 */
export async function readStored(project: string, version: string, around: Reading): Promise<SourceText> {
  const { call, tenant } = await around.connection()
  const params = { tenant_slug: await tenant(), project_ref: project, version_ref: version }
  const record = await call(versionsApi.get, { params }).catch(async (error: unknown) => {
    const missing =
      error instanceof SvcError && (error.code === 'project-not-found' || error.code === 'version-not-found')
    throw missing ? await explainMissing(error, project, version, around) : error
  })
  const name = `${record.project_slug}@${record.label}`
  const bytes = await call(versionsApi.document, { params: { ...params, version_ref: record.id } })
  if (bytes.byteLength === 0) throw unreadable(name, 'it has no document yet')
  const types = new TypeReader(around, record.status === 'draft' ? null : record.id)
  return { name, text: new TextDecoder().decode(bytes), place: '/', files: null, types }
}
