/** What the commands about types share: their options, the request that they make, and how the answers are shown. */
import type { Static, TSchema } from '@sinclair/typebox'
import type {
  PrimitiveImportBody,
  PrimitiveImportResult,
  PrimitiveReview,
  PrimitiveStageBody,
} from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import type { Call } from '../../src/api/endpoint.ts'
import { plural } from '../../src/kernel/plural.ts'
import { sourceKinds } from '../../src/types/limits.ts'
import { readText } from '../input/named-file.ts'
import type { Invocation } from '../declare.ts'
import { gitOptions, isRemote } from '../input/git/address.ts'
import type { OptionValues } from '../options.ts'
import { renderTable } from '../table.ts'
import { usageError } from '../usage-error.ts'

export const pathArgument = {
  name: 'path',
  required: true,
  summary: 'a file, an http(s) URL, - for standard input, or a file of the repository of --repo or --repository-id',
} as const

/** The repository that PATH is a file of. */
export const typeGitOptions = {
  repo: {
    type: 'string',
    placeholder: 'URL',
    summary: 'https or ssh address of the repository that has PATH; the service reads it',
  },
  ref: gitOptions.ref,
  'repository-id': gitOptions['repository-id'],
  'linked-account-id': gitOptions['linked-account-id'],
} as const

/** Where types are registered and what becomes of conflicts. */
export const typeImportOptions = {
  namespace: {
    type: 'string',
    placeholder: 'NAMESPACE',
    summary: 'namespace of the types (default: the one in a bundle, or the slug of the organization)',
  },
  kind: {
    type: 'string',
    placeholder: 'KIND',
    choices: sourceKinds,
    default: 'json-schema',
    summary: 'format of the source',
  },
  select: { type: 'string', placeholder: 'KEY', multiple: true, summary: 'import this type only' },
  'include-root': { type: 'boolean', summary: 'also import the schema around the definitions' },
  resolve: {
    type: 'string',
    placeholder: 'KEY=HOW',
    multiple: true,
    summary: 'for a conflict: keep, overwrite or rename:NAME',
  },
  'on-conflict': {
    type: 'string',
    placeholder: 'HOW',
    choices: ['keep', 'overwrite'],
    default: 'keep',
    summary: 'what happens to conflicts that --resolve does not name',
  },
} as const

type TypeImportOptions = Partial<OptionValues<typeof typeImportOptions> & OptionValues<typeof typeGitOptions>>

/** Details of the types of an import. */
interface TypeDetails {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly visibility?: 'private' | 'public' | undefined
}

/** @throws SvcError `usage` */
function resolutionsOf(given: readonly string[]): NonNullable<PrimitiveImportBody['resolutions']> {
  return Object.fromEntries(
    given.map((text) => {
      const found = /^(.+)=(keep|overwrite|rename:(.+))$/.exec(text)
      const [, key = '', how = '', name] = found ?? []
      if (found === null)
        throw usageError(`--resolve must be KEY=keep, KEY=overwrite or KEY=rename:NAME, not "${text}".`)
      return name === undefined
        ? [key, { action: how as 'keep' | 'overwrite' }]
        : [key, { action: 'rename' as const, name }]
    }),
  )
}

/**
 * The request of an import. A URL and a repository are read by the service, which keeps the text as staged.
 * @throws SvcError `usage`, `file-not-found` …, and what staging refuses
 */
export async function typeRequest(
  path: string,
  options: TypeImportOptions,
  details: TypeDetails,
  from: Pick<Invocation, 'cwd' | 'io'> & { readonly call: Call; readonly tenant: string },
): Promise<PrimitiveImportBody> {
  const resolutions = resolutionsOf(options.resolve ?? [])
  const kind = options.kind ?? 'json-schema'
  const staged = stageBodyOf(path, options)
  const source =
    staged === null ? { content: await readText(path, from) } : { import_id: await stage(staged, kind, from) }
  return {
    source_kind: kind,
    ...source,
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    ...(details.name === undefined ? {} : { name: details.name }),
    ...(details.description === undefined ? {} : { description: details.description }),
    ...(details.visibility === undefined ? {} : { visibility: details.visibility }),
    ...((options.select ?? []).length === 0 ? {} : { select: [...(options.select ?? [])] }),
    ...(options['include-root'] === true ? { include_root: true } : {}),
    ...(Object.keys(resolutions).length === 0 ? {} : { resolutions }),
    on_conflict: options['on-conflict'] ?? 'keep',
  }
}

type StageBody = Omit<PrimitiveStageBody, 'source_kind'>

/**
 * What the service has to read; null for a text that is read here.
 * @throws SvcError `usage`
 */
function stageBodyOf(path: string, options: TypeImportOptions): StageBody | null {
  const { repo, ref, 'repository-id': repositoryId, 'linked-account-id': accountId } = options
  if (repo === undefined && repositoryId === undefined) {
    if (ref !== undefined) throw usageError('--ref needs the repository: give --repo or --repository-id.')
    if (accountId !== undefined) throw usageError('--linked-account-id needs the repository: give --repo.')
    return /^https?:\/\//i.test(path) ? { method: 'url', url: path } : null
  }
  if (repo !== undefined && !isRemote(repo))
    throw usageError(
      `--repo takes an https or ssh address, not "${repo}"; of a folder on this machine give the file itself.`,
    )
  if (path === '-' || /^https?:\/\//i.test(path))
    throw usageError(`With --repo and --repository-id PATH is a file of the repository, not "${path}".`)
  return {
    method: 'git',
    path,
    ...(repo === undefined ? {} : { repo_url: repo }),
    ...(ref === undefined ? {} : { ref }),
    ...(repositoryId === undefined ? {} : { repository_id: repositoryId }),
    ...(accountId === undefined ? {} : { linked_account_id: accountId }),
  }
}

async function stage(
  body: StageBody,
  kind: string,
  from: { readonly call: Call; readonly tenant: string },
): Promise<string> {
  const params = { tenant_slug: from.tenant }
  const { import_id: id } = await from.call(primitivesApi.stage, { params, body: { ...body, source_kind: kind } })
  return id
}

/** A request without what only an import uses. */
export function reviewRequest(body: PrimitiveImportBody): PrimitiveImportBody {
  const request = { ...body }
  delete request.resolutions
  delete request.on_conflict
  return request
}

type Shape<T extends TSchema> = Static<T>

/** What an import did, as a table and a sentence. */
export function importText({ primitives, summary, problems }: Shape<typeof PrimitiveImportResult>): string {
  const rows = primitives.map(({ ref, outcome, revision }) => [
    ref,
    outcome,
    revision === null ? '' : `revision ${revision}`,
  ])
  const unresolved =
    summary.unresolved_refs === 0 ? '' : `${plural(summary.unresolved_refs, 'reference')} cannot be resolved.\n`
  const left = problems.map(({ message }) => `${message}\n`).join('')
  return (rows.length === 0 ? 'No types.\n' : renderTable(['TYPE', 'OUTCOME', 'REVISION'], rows)) + left + unresolved
}

/** What an import would do, as a table with what is wrong below it. */
export function reviewText({ types, problems }: Shape<typeof PrimitiveReview>): string {
  const rows = types.map(({ namespace, name, classification, change, recommended, validation }) => [
    `${namespace}/${name}`,
    validation.valid ? classification : `${classification}, invalid`,
    change?.verdict === 'unknown' ? 'undecided' : (change?.severity ?? ''),
    recommended ?? '',
  ])
  const lines = types.flatMap(({ namespace, name, validation, unresolved }) => [
    ...validation.errors.map(({ pointer, message }) => `${namespace}/${name}#${pointer}: ${message}\n`),
    ...unresolved.map(
      ({ pointer, target, candidates }) =>
        `${namespace}/${name}#${pointer}: "${target}" cannot be resolved.${candidates.length === 0 ? '' : ` Similar: ${candidates.join(', ')}.`}\n`,
    ),
  ])
  const left = problems.map(({ message }) => `${message}\n`)
  const table = rows.length === 0 ? 'No types.\n' : renderTable(['TYPE', 'CLASS', 'CHANGE', 'RECOMMENDED'], rows)
  return [table, ...lines, ...left].join('')
}

/** The type that a person names: by its reference, with or without "svc:", or by its id. */
export async function findType(call: Call, tenant: string, given: string) {
  const params = { tenant_slug: tenant }
  if (!given.includes('/') && !given.includes(':')) {
    const primitive = await call(primitivesApi.get, { params: { ...params, primitive_id: given } })
    return { primitive, revision: primitive.revision, schema: primitive.schema }
  }
  const ref = /^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `svc:${given}`
  return call(primitivesApi.resolve, { params, query: { ref } })
}
