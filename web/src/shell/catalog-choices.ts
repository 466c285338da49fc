import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { searchApi } from '../../../src/api/search.ts'
import { call } from '../call.ts'
import { count } from '../parts/count.ts'
import { documentation } from '../parts/documentation.ts'
import { type Choice, useMay } from './choice.ts'

const catalogQuery = (tenant: string, wanted: string) =>
  queryOptions({
    queryKey: ['search', tenant, wanted],
    queryFn: () => call(searchApi.find, { params: { tenant_slug: tenant }, query: { q: wanted } }),
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
  const mark: Pick<Choice, 'found'> = isPlaceholderData ? {} : { found: true }
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
    name,
    detail: slug,
    go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project: slug } }),
  }))
}

/** Operations, schemas, consumers, style guides, members, rules and their findings that a text finds. */
export const useCatalogChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const { data, mark: isFound } = useCatalog(text)
  if (data === undefined) return []
  const { operations, schemas, consumers, style_guides: guides, members, rules, findings } = data
  const at = placeIn(tenant)
  return [
    ...operations.map((it) => ({
      ...isFound,
      id: `${it.project_slug} ${it.ref}`,
      group: 'Operations',
      name: it.ref,
      detail: `${it.summary === '' ? '' : `${it.summary} · `}${it.project_name} ${it.version_label}`,
      go: () =>
        void navigate({ to: '/t/$tenant/$project/$version/operations', params: at(it), search: { operation: it.ref } }),
    })),
    ...schemas.map((it) => ({
      ...isFound,
      id: `${it.project_slug} ${it.name}`,
      group: 'Schemas',
      name: it.name,
      detail: `${it.project_name} ${it.version_label}`,
      go: () =>
        location.assign(
          `/v1/swagger/${[tenant, it.project_slug, it.version_slug].map(encodeURIComponent).join('/')}#schema%2F${encodeURIComponent(it.name)}`,
        ),
    })),
    ...consumers.map((it) => ({
      ...isFound,
      id: it.id,
      group: 'Consumers',
      name: it.name,
      detail: it.project_name,
      go: () =>
        void navigate({
          to: '/t/$tenant/$project/-/consumers/$consumer',
          params: { tenant, project: it.project_slug, consumer: it.id },
        }),
    })),
    ...guides.map((it) => ({
      ...isFound,
      id: it.id,
      group: 'Style guides',
      name: it.name,
      go: () => void navigate({ to: '/t/$tenant/-/style-guides/$guide', params: { tenant, guide: it.id } }),
    })),
    ...rules.map((it) => ({
      ...isFound,
      id: it.id,
      group: 'Rules',
      name: it.id,
      ...(it.description === null ? {} : { detail: it.description }),
      ...(it.projects === null || it.findings === null
        ? {}
        : {
            detail: `${count(it.findings, 'finding', 'findings')} in ${count(it.projects, 'project', 'projects')} · ${it.description ?? ''}`,
          }),
      go: () => void window.open(documentation.rule(it.id), '_blank', 'noopener'),
    })),
    ...findings.map((it) => ({
      ...isFound,
      id: `${it.rule} ${it.project_slug}`,
      group: 'Findings',
      name: it.project_name,
      detail: `${it.version_label}: ${it.count.toLocaleString()} of ${it.rule}`,
      go: () =>
        void navigate({ to: '/t/$tenant/$project/$version/findings', params: at(it), search: { rule: it.rule } }),
    })),
    ...members.map((it) => ({
      ...isFound,
      id: it.user_id,
      group: 'Members',
      name: it.name,
      detail: it.email,
      go: () => void navigate({ to: '/t/$tenant/-/members', params: { tenant }, search: { q: it.email } }),
    })),
  ]
}

/** A provider is asked once the typing has rested for so long, and not for what says nothing yet. */
const restMs = 350
const leastLetters = 3

/** Operations and types that are about what was typed, whatever their words: where semantic search is configured. */
export const useSemanticChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const wanted = text.trim()
  const [rested, setRested] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setRested(wanted), restMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const words = useQuery({ ...catalogQuery(tenant, wanted), enabled: false }).data
  const found = useQuery({
    queryKey: ['search', tenant, rested, 'semantic'],
    queryFn: () =>
      call(searchApi.find, { params: { tenant_slug: tenant }, query: { q: rested, mode: 'semantic', limit: 5 } }),
    enabled: words?.semantic_available === true && rested === wanted && rested.length >= leastLetters,
    // The results by words are there already.
    retry: false,
  })
  if (found.data === undefined || words === undefined || rested !== wanted) return []
  const at = placeIn(tenant)
  const known = new Set(words.operations.map((it) => `${it.project_slug} ${it.ref}`))
  return [
    ...found.data.operations
      .filter((it) => !known.has(`${it.project_slug} ${it.ref}`))
      .map((it) => ({
        found: true as const,
        id: `${it.project_slug} ${it.ref}`,
        group: 'Operations, semantic search',
        name: it.ref,
        detail: `${it.summary === '' ? '' : `${it.summary} · `}${it.project_name} ${it.version_label}`,
        go: () =>
          void navigate({
            to: '/t/$tenant/$project/$version/operations',
            params: at(it),
            search: { operation: it.ref },
          }),
      })),
    ...found.data.types.map((it) => ({
      found: true as const,
      id: it.id,
      group: 'Types, semantic search',
      name: it.name,
      detail: it.namespace,
      go: () => void navigate({ to: '/t/$tenant/-/types/$type', params: { tenant, type: it.id } }),
    })),
  ]
}

/** How many versions of the organization wait to be indexed: what they have is not among the results. */
export const useNotIndexed = (text: string): number => {
  const { tenant = '' } = useParams({ strict: false })
  return useQuery({ ...catalogQuery(tenant, text.trim()), enabled: false }).data?.not_indexed ?? 0
}
