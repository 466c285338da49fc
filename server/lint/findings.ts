import { spanAround } from '../../src/api/excerpt-span.ts'
import type { Input } from '../../src/api/endpoint.ts'
import type { lintFindingsApi, LintSummary, PlacedFinding } from '../../src/api/lint-findings.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { countBy, filterFindings, type FindingGroup, groupFindings, placeOf } from '../../src/lint/listing.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import { excerptsOf } from '../versions/door.ts'
import { analysisOf, type Refs, writable } from './service.ts'

const mostWords = 300
const mostGroups = 2000
// What is shown of a long line: more would make pages of megabytes out of documents that are one line.
const cut = { longest: 400, before: 100 }

type Asked = NonNullable<Input<typeof lintFindingsApi.summary>['query']>

/** Findings in the order that was asked for. */
interface Listing {
  readonly groups: readonly FindingGroup[]
  readonly findings: readonly Finding[]
}

// A report is filtered and ordered once for all of its pages: as long as it is in memory, the last few ways.
const listings = new WeakMap<readonly Finding[], Map<string, Listing>>()
const mostListings = 4

function listingOf(all: readonly Finding[], asked: Asked): Listing {
  const { q = '', severity = '', rule = '', place = '', by = 'rule' } = asked
  const known = listings.get(all) ?? new Map<string, Listing>()
  listings.set(all, known)
  const key = JSON.stringify([q, severity, rule, place, by])
  const made = known.get(key)
  if (made !== undefined) return made
  const matching = filterFindings(all, { q, severity, rule, place })
  const groups = by === 'text' ? [] : groupFindings(matching, by)
  const listing = { groups, findings: by === 'text' ? matching : groups.flatMap((it) => it.findings) }
  known.set(key, listing)
  for (const oldest of known.keys()) if (known.size > mostListings) known.delete(oldest)
  return listing
}

const severitiesOf = (all: readonly Finding[], { q = '', rule = '', place = '' }: Asked): LintSummary['severities'] => {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const { severity } of filterFindings(all, { q, rule, place, severity: '' })) counts[severity] += 1
  return counts
}

const counted = (all: readonly Finding[], word: (finding: Finding) => string): LintSummary['rules'] => {
  const words = countBy(all, word)
  return { total: words.length, items: words.slice(0, mostWords).map(([name, count]) => ({ name, count })) }
}

/**
 * The lint report of a version without its findings: the grade, and how many there are by severity, rule, place and group.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function lintSummary(deps: Deps, grant: Grant, refs: Refs, asked: Asked): Promise<LintSummary> {
  const { version, analysis } = await analysisOf(deps, grant, refs)
  const { groups, findings } = listingOf(analysis.findings, asked)
  return {
    version_id: version.id,
    digest: version.digest,
    guide: analysis.guide.name,
    guide_id: analysis.guide.id,
    grade: analysis.grade,
    unmatched_rules: [...analysis.idle],
    skipped_rules: [...analysis.skipped],
    total: analysis.findings.length,
    matching: findings.length,
    severities: severitiesOf(analysis.findings, asked),
    rules: counted(analysis.findings, (it) => it.code),
    places: counted(analysis.findings, placeOf),
    groups: groups.slice(0, mostGroups).map(({ name, severity, findings }) => ({
      name,
      severity,
      count: findings.length,
      documentation_url: findings.find((it) => it.documentationUrl !== null)?.documentationUrl ?? null,
    })),
    more_groups: Math.max(0, groups.length - mostGroups),
  }
}

/**
 * A page of the findings of a version, each with the lines around it where they are asked for.
 * @throws SvcError `project-not-found`, `version-not-found`, `analysis-stopped`
 */
export async function lintFindings(
  deps: Deps,
  grant: Grant,
  refs: Refs,
  asked: Asked & { lines?: boolean },
  page: Page,
) {
  const { version, analysis } = await analysisOf(deps, grant, refs)
  const { findings } = listingOf(analysis.findings, asked)
  const shown = writable(findings.slice(page.offset, page.offset + page.limit))
  const { source } = deps.analysis.subjectOf(version)
  const own = asked.lines === true ? shown.filter((it) => it.source === source) : []
  const spans = own.map((it) => spanAround(it.range))
  const { excerpts } = own.length === 0 ? { excerpts: [] } : await excerptsOf(deps, version, spans, cut)
  const excerptOf = new Map(own.map((it, index) => [it, excerpts[index]]))
  const items = shown.map((finding): PlacedFinding => {
    const lines = excerptOf.get(finding)
    return {
      finding,
      excerpt: lines === undefined ? null : { first: spanAround(finding.range).from, lines: [...lines] },
    }
  })
  return { items, total: findings.length, ...page }
}
