import { queryOptions } from '@tanstack/react-query'
import { type BindingDetail, bindingsApi, type Candidate } from '../../../../src/api/bindings.ts'
import { editsApi } from '../../../../src/api/edits.ts'
import { versionsApi } from '../../../../src/api/versions.ts'
import { call, digestIn, replaceText, type Text } from '../../call.ts'
import { pageSize, queryClient } from '../../query-client.ts'
import { documentTextQuery, type VersionRef, versionParams } from '../catalog/versions.ts'

const bindingsKey = (tenant: string) => ['bindings', tenant] as const

const keyOf = (what: string, { tenant, project, version }: VersionRef) => [
  ...bindingsKey(tenant),
  what,
  project,
  version,
]

/** Whether a version is bound, what waits, and earlier bindings. */
export const bindingStatusQuery = (at: VersionRef) =>
  queryOptions({
    queryKey: keyOf('status', at),
    queryFn: () => call(bindingsApi.status, { params: versionParams(at) }),
  })

export const bindingQuery = ({ tenant, project }: VersionRef, binding: string) =>
  queryOptions({
    queryKey: [...bindingsKey(tenant), 'one', project, binding],
    queryFn: () =>
      call(bindingsApi.get, { params: { tenant_slug: tenant, project_ref: project, binding_id: binding } }),
  })

/** The active bindings of a project. */
export const bindingsQuery = (tenant: string, project: string, offset: number) =>
  queryOptions({
    queryKey: [...bindingsKey(tenant), 'list', project, offset],
    queryFn: async () => {
      const { bindings: items, ...page } = await call(bindingsApi.list, {
        params: { tenant_slug: tenant, project_ref: project },
        query: { active: true, limit: pageSize, offset },
      })
      return { items, ...page }
    },
    placeholderData: (before) => before,
  })

/** A candidate with its binding; null where the version has none of this id. */
export const candidateQuery = (at: VersionRef, id: string) =>
  queryOptions({
    queryKey: [...keyOf('candidate', at), id],
    queryFn: async (): Promise<{ candidate: Candidate; binding: BindingDetail['binding'] } | null> => {
      const { binding: active, previous } = await call(bindingsApi.status, { params: versionParams(at) })
      // Nearly always of the binding that is active.
      for (const one of [...(active === null ? [] : [active]), ...previous]) {
        const { binding, pending, history } = await queryClient.fetchQuery({
          ...bindingQuery(at, one.id),
          staleTime: 0,
        })
        const candidate = [...pending, ...history].find((it) => it.id === id)
        if (candidate !== undefined) return { candidate, binding }
      }
      return null
    },
  })

const candidateParams = (at: VersionRef, candidate: string) => ({ ...versionParams(at), candidate_id: candidate })

/** The draft with the changes of the repository; at the conflicts of `theirs` with the values of the repository. */
export const mergeQuery = (at: VersionRef, candidate: string, theirs: readonly string[]) =>
  queryOptions({
    queryKey: [...keyOf('merge', at), candidate, theirs],
    queryFn: () => readMerge(at, candidate, theirs),
    placeholderData: (before) => before,
  })

const readMerge = (at: VersionRef, candidate: string, theirs: readonly string[]) =>
  call(bindingsApi.mergeWith, { params: candidateParams(at, candidate), body: { theirs: [...theirs] } })

/** The lines and characters of a text as one range: what an edit of the whole text replaces. */
const wholeOf = (text: string) => {
  const lines = text.split('\n')
  return { start: { line: 0, character: 0 }, end: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } }
}

const presentText = (at: VersionRef): Promise<Text> =>
  queryClient.fetchQuery({ ...documentTextQuery(at), staleTime: 0 })

const replaceDraft = async (at: VersionRef, mine: Text, text: string): Promise<void> => {
  if (text !== mine.text) await replaceText(versionsApi.putDocument, versionParams(at), mine, text)
}

/**
 * Writes a file into the draft, as long as nobody else saved it meanwhile.
 * @throws SvcError `document-changed` and what the operation refuses
 */
export const takeFile = async (at: VersionRef, file: string): Promise<void> => {
  await replaceDraft(at, await presentText(at), file)
  await queryClient.invalidateQueries()
}

/** What the draft has after taking a merge: grade and findings as before and after, and its changes from the version that it is based on. */
export const outcomeQuery = (at: VersionRef, merged: string) =>
  queryOptions({
    queryKey: [...keyOf('outcome', at), merged],
    queryFn: async () => {
      const mine = await presentText(at)
      const params = versionParams(at)
      const digest = digestIn(mine.etag ?? '')
      const edits = mine.text === merged ? [] : [{ ...wholeOf(mine.text), text: merged }]
      const [before, after, changes] = await Promise.all([
        call(editsApi.check, { params, body: { digest, edits: [] } }),
        call(editsApi.check, { params, body: { digest, edits } }),
        call(editsApi.changes, { params, body: { digest, edits } }),
      ])
      const known = new Set(before.findings.map(({ fingerprint }) => fingerprint))
      const kept = new Set(after.findings.map(({ fingerprint }) => fingerprint))
      return {
        before: before.grade,
        after: after.grade,
        added: after.findings.filter(({ fingerprint }) => !known.has(fingerprint)),
        gone: before.findings.filter(({ fingerprint }) => !kept.has(fingerprint)),
        totals: [before.total, after.total] as const,
        // Of very many findings only the worst are there: which are new is then not known.
        isWhole: before.total === before.findings.length && after.total === after.findings.length,
        changes,
      }
    },
  })

/** Settles a candidate. */
export const settle = async (
  at: VersionRef,
  candidate: string,
  status: 'applied' | 'dismissed',
  note: string,
): Promise<void> => {
  await call(bindingsApi.resolve, {
    params: candidateParams(at, candidate),
    body: { status, ...(note.trim() === '' ? {} : { note: note.trim() }) },
  })
  await refreshBindings(at.tenant)
}

/**
 * Writes the merge into the draft and applies the candidate. The draft is replaced only as it was when the merge was made.
 * @throws SvcError `document-changed` and what the operations refuse
 */
export const takeMerge = async (
  at: VersionRef,
  candidate: string,
  theirs: readonly string[],
  note: string,
): Promise<void> => {
  const mine = await presentText(at)
  const { document } = await readMerge(at, candidate, theirs)
  if (document !== null) await replaceDraft(at, mine, document)
  await settle(at, candidate, 'applied', note)
  await queryClient.invalidateQueries()
}

/** Reads everything about the bindings of an organization again. */
export const refreshBindings = (tenant: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: bindingsKey(tenant) })
