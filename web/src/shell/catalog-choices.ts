import { useDebounced } from '../parts/use-debounced.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { searchApi } from '../../../src/api/search.ts'
import { call } from '../call.ts'
import { count } from '../parts/text.ts'
import { documentation } from '../parts/documentation.ts'
import { holds, identityQuery } from '../session.ts'
import type { Ranked } from './ranking.ts'

/** One line of the command palette. */
export interface Choice extends Ranked {
  readonly id: string
  readonly group: string
  readonly go: () => void
}

/** What the palette asks the service, so that it knows whether it still searches. */
export const askedKey = 'palette'

/** Whether the person may do what an action needs, in the organization of the page. */
export const useMay = () => {
  const { tenant = '' } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  return ({ permission }: { permission: Parameters<typeof holds>[2] }): boolean =>
    holds(identity.data, tenant, permission)
}

const catalogQuery = (tenant: string, wanted: string) =>
  queryOptions({
    queryKey: [askedKey, 'search', tenant, wanted],
    queryFn: ({ signal }) => call(searchApi.find, { params: { tenant_slug: tenant }, query: { q: wanted } }, signal),
  })

const placeIn = (tenant: string) => (it: { readonly project_slug: string; readonly version_slug: string }) => ({
  tenant,
  project: it.project_slug,
  version: it.version_slug,
})

/** What the service finds for a text: the answer to the text before it is shown until the next one is there. */
const useCatalog = (text: string) => {
  const { tenant = '' } = useParams({ strict: false })
  const may = useMay()
  const wanted = text.trim()
  const { data, isPlaceholderData } = useQuery({
    ...catalogQuery(tenant, wanted),
    enabled: tenant !== '' && wanted !== '' && may({ permission: 'versions:view' }),
    placeholderData: (before) => before,
  })
  // Of an earlier answer only what has the words in its name is shown.
  const mark: Pick<Choice, 'found'> = isPlaceholderData ? {} : { found: 'words' }
  return { data: wanted === '' ? undefined : data, mark }
}

/** The projects that a text finds, those that are named so first. */
export const useFoundProjects = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const { data, mark } = useCatalog(text)
  return (data?.projects ?? []).map(({ slug, name }) => ({
    ...mark,
    id: slug,
    group: 'Projects',
    kind: 'place',
    name,
    detail: slug,
    aliases: [slug],
    go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project: slug } }),
  }))
}

/** The path of an operation, without its method. */
const pathOf = (ref: string): string => ref.slice(ref.indexOf(' ') + 1)

/** Operations and schemas that a text finds. */
export const usePartsOfVersions = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const { data, mark: isFound } = useCatalog(text)
  if (data === undefined) return []
  const { operations, schemas } = data
  const at = placeIn(tenant)
  return [
    ...operations.map((operation) => ({
      ...isFound,
      id: `${operation.project_slug} ${operation.ref}`,
      group: 'Operations',
      kind: 'operation' as const,
      name: operation.ref,
      aliases: [pathOf(operation.ref)],
      detail: `${operation.summary === '' ? '' : `${operation.summary} · `}${operation.project_name} ${operation.version_label}`,
      go: () =>
        void navigate({
          to: '/t/$tenant/$project/$version/operations',
          params: at(operation),
          search: { operation: operation.ref },
        }),
    })),
    ...schemas.map((schema) => ({
      ...isFound,
      id: `${schema.project_slug} ${schema.name}`,
      group: 'Schemas',
      name: schema.name,
      detail: `${schema.project_name} ${schema.version_label}`,
      go: () =>
        location.assign(
          `/v1/swagger/${[tenant, schema.project_slug, schema.version_slug].map(encodeURIComponent).join('/')}#schema%2F${encodeURIComponent(schema.name)}`,
        ),
    })),
  ]
}

/** Consumers, style guides, members, rules and their findings that a text finds. */
export const useCatalogChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const { data, mark: isFound } = useCatalog(text)
  if (data === undefined) return []
  const { consumers, style_guides: guides, members, rules, findings } = data
  const at = placeIn(tenant)
  return [
    ...consumers.map((consumer) => ({
      ...isFound,
      id: consumer.id,
      group: 'Consumers',
      name: consumer.name,
      aliases: [consumer.handle],
      detail: consumer.project_name,
      go: () =>
        void navigate({
          to: '/t/$tenant/$project/-/consumers/$consumer',
          params: { tenant, project: consumer.project_slug, consumer: consumer.id },
        }),
    })),
    ...guides.map((guide) => ({
      ...isFound,
      id: guide.id,
      group: 'Style guides',
      name: guide.name,
      go: () => void navigate({ to: '/t/$tenant/-/style-guides/$guide', params: { tenant, guide: guide.id } }),
    })),
    ...rules.map((rule) => ({
      ...isFound,
      id: rule.id,
      group: 'Rules',
      name: rule.id,
      ...(rule.description === null ? {} : { detail: rule.description }),
      ...(rule.projects === null || rule.findings === null
        ? {}
        : {
            detail: `${count(rule.findings, 'finding', 'findings')} in ${count(rule.projects, 'project', 'projects')} · ${rule.description ?? ''}`,
          }),
      go: () => void window.open(documentation.rule(rule.id), '_blank', 'noopener'),
    })),
    ...findings.map((finding) => ({
      ...isFound,
      id: `${finding.rule} ${finding.project_slug}`,
      group: 'Findings',
      name: finding.project_name,
      detail: `${finding.version_label}: ${finding.count.toLocaleString()} of ${finding.rule}`,
      go: () =>
        void navigate({
          to: '/t/$tenant/$project/$version/findings',
          params: at(finding),
          search: { rule: finding.rule },
        }),
    })),
    ...members.map((member) => ({
      ...isFound,
      id: member.user_id,
      group: 'Members',
      kind: 'place' as const,
      name: member.name,
      aliases: [member.email],
      detail: member.email,
      go: () => void navigate({ to: '/t/$tenant/-/members', params: { tenant }, search: { q: member.email } }),
    })),
  ]
}

/** Shorter texts say nothing yet: the provider is not asked about them. */
const leastLetters = 3

/** Operations and types that are about what was typed, whatever their words: where semantic search is configured. */
export const useSemanticChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const wanted = text.trim()
  // A provider is asked later than the service itself.
  const debounced = useDebounced(wanted)
  const words = useQuery({ ...catalogQuery(tenant, wanted), enabled: false }).data
  const found = useQuery({
    queryKey: [askedKey, 'meaning', tenant, debounced],
    queryFn: ({ signal }) => {
      const query = { q: debounced, mode: 'semantic' as const, limit: 5 }
      return call(searchApi.find, { params: { tenant_slug: tenant }, query }, signal)
    },
    enabled: words?.semantic_available === true && debounced === wanted && debounced.length >= leastLetters,
    // The results by words are there already.
    retry: false,
  })
  if (found.data === undefined || words === undefined || debounced !== wanted) return []
  const at = placeIn(tenant)
  const known = new Set(words.operations.map((it) => `${it.project_slug} ${it.ref}`))
  return [
    ...found.data.operations
      .filter((it) => !known.has(`${it.project_slug} ${it.ref}`))
      .map((operation) => ({
        found: 'meaning' as const,
        id: `${operation.project_slug} ${operation.ref}`,
        group: 'Operations, semantic search',
        kind: 'operation' as const,
        name: operation.ref,
        aliases: [pathOf(operation.ref)],
        detail: `${operation.summary === '' ? '' : `${operation.summary} · `}${operation.project_name} ${operation.version_label}`,
        go: () =>
          void navigate({
            to: '/t/$tenant/$project/$version/operations',
            params: at(operation),
            search: { operation: operation.ref },
          }),
      })),
    ...found.data.types.map((type) => ({
      found: 'meaning' as const,
      id: type.id,
      group: 'Types, semantic search',
      name: type.name,
      detail: type.namespace,
      go: () => void navigate({ to: '/t/$tenant/-/types/$type', params: { tenant, type: type.id } }),
    })),
  ]
}

/** How many versions of the organization wait to be indexed: what they have is not among the results. */
export const useNotIndexed = (text: string): number => {
  const { tenant = '' } = useParams({ strict: false })
  return useQuery({ ...catalogQuery(tenant, text.trim()), enabled: false }).data?.not_indexed ?? 0
}
