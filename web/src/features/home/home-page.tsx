import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Activity, type Attention, attentionKinds, type Home, homeApi } from '../../../../src/api/home.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Moment, Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { AttentionCard, Items } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { InboxSection } from './inbox-page.tsx'
import { changeOf, type ListedKind, meansOf, names, othersOf, verbOf } from './words.ts'
import { call } from '../../call.ts'

const Sentence = ({ tenant, activity }: { tenant: string; activity: Activity }) => {
  const change = changeOf(activity)
  const means = meansOf(activity)
  const params = { tenant, project: activity.project_slug, version: activity.version_slug }
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2.5 text-sm">
      <p className="wrap-anywhere">
        <span className="font-medium">{activity.actor}</span> {verbOf(activity)}{' '}
        <Link to="/t/$tenant/$project/$version" params={params} className="link">
          {activity.project_name} {activity.label}
        </Link>
        {othersOf(activity)}
        {change === 'breaking' ? (
          <>
            {' '}
            <Badge tone="danger">breaking</Badge>
          </>
        ) : (
          <span className="text-soft">{change === null ? '' : ` · ${change}`}</span>
        )}
      </p>
      <p className="text-xs text-soft">
        <Moment at={activity.at} />
        {means === null ? '' : ` · ${means}`}
      </p>
    </li>
  )
}

/** What happened lately, as sentences, newest first. */
const ActivityList = ({ tenant, items }: { tenant: string; items: readonly Activity[] }) =>
  items.length === 0 ? (
    <p className="text-sm text-soft">No activity yet. Imports and publications are listed here.</p>
  ) : (
    <ul className="card divide-y" aria-label="Activity">
      {items.map((it) => (
        <Sentence key={it.id} tenant={tenant} activity={it} />
      ))}
    </ul>
  )

/** As many as the service lists at once. */
const mostItems = 200

const homeKey = (tenant: string) => ['home', tenant] as const
const waitMs = 2000

/** While drafts are being checked it is asked again. */
export const homeQuery = (tenant: string, only: ListedKind | null) =>
  queryOptions({
    queryKey: [...homeKey(tenant), only],
    queryFn: () =>
      call(homeApi.show, {
        params: { tenant_slug: tenant },
        query: only === null ? {} : { only, items: mostItems },
      }),
    staleTime: 5000,
    refetchInterval: ({ state }) => ((state.data?.pending ?? 0) > 0 ? waitMs : false),
  })

/** When it was counted, over what, and what is not in it. */
const Counted = ({ pending, counted: { at, projects, unchecked } }: Pick<Home, 'pending' | 'counted'>) => (
  <div className="grid gap-0.5 text-sm text-soft">
    <p>
      As of <Moment at={at} exact />, over {count(projects, 'project', 'projects')}.
      {unchecked === 0
        ? ''
        : ` ${count(unchecked, 'draft', 'drafts')} without a published version ${unchecked === 1 ? 'is' : 'are'} not checked: only the 500 that changed last are.`}
    </p>
    {pending === 0 ? null : <p role="status">{count(pending, 'draft is', 'drafts are')} being checked …</p>}
  </div>
)

const Cards = ({ tenant, attention }: { tenant: string; attention: Attention }) => {
  const all = attentionKinds.flatMap((kind) => {
    const card = attention[kind]
    return card === null ? [] : [{ kind, card }]
  })
  const full = all.filter(({ card }) => card.count > 0)
  return (
    <>
      {full.length === 0 ? (
        <Empty title="Nothing needs your attention">
          <p>Blocked and breaking drafts, grades that fell, silent gateways and expiring keys will be counted here.</p>
        </Empty>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {full.map(({ kind, card }) => (
            <AttentionCard key={kind} tenant={tenant} kind={kind} card={card} />
          ))}
        </div>
      )}
    </>
  )
}

const Own = ({ tenant, home: { drafts, projects } }: { tenant: string; home: Home }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
    <Section title="Your drafts">
      {drafts.length === 0 ? (
        <p className="text-sm text-soft">Drafts that you import or edit are listed here.</p>
      ) : (
        <ul className="card divide-y" aria-label="Your drafts">
          {drafts.map((draft) => (
            <li
              key={`${draft.project_slug} ${draft.label}`}
              className="relative flex items-center gap-3 px-4 py-2 text-sm hover:bg-raised"
            >
              <Grade grade={draft.grade} />
              <Link
                to="/t/$tenant/$project/$version"
                params={{ tenant, project: draft.project_slug, version: draft.version_slug }}
                className="min-w-0 grow break-words after:absolute after:inset-0"
              >
                {draft.project_name} <span className="font-mono text-[0.9em]">{draft.label}</span>
              </Link>
              <span className="text-xs whitespace-nowrap text-soft">
                <Moment at={draft.updated_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
    <Section title="Your projects">
      {projects.length === 0 ? (
        <p className="text-sm text-soft">Projects that you created, or whose owner you are, are listed here.</p>
      ) : (
        <ul className="card divide-y" aria-label="Your projects">
          {projects.map((version) => (
            <li key={version.project_slug} className="relative px-4 py-2 text-sm hover:bg-raised">
              <Link
                to="/t/$tenant/$project"
                params={{ tenant, project: version.project_slug }}
                className="break-words after:absolute after:inset-0"
              >
                {version.project_name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  </div>
)

/** What needs attention, what happened, and what is the reader's own. */
export const HomePage = ({ tenant }: { tenant: string }) => {
  const home = useQuery(homeQuery(tenant, null))
  const identity = useQuery(identityQuery)
  return (
    <Page title="Home">
      <Read query={home} what="what needs attention">
        {(overview) => (
          <>
            <InboxSection tenant={tenant} />
            {holds(identity.data, tenant, 'api_keys:create') ? (
              <FirstSteps tenant={tenant} steps={overview.steps} hasSample={overview.has_sample} />
            ) : null}
            <Section title="Needs attention">
              <Cards tenant={tenant} attention={overview.attention} />
              <Counted pending={overview.pending} counted={overview.counted} />
            </Section>
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
              <Section title="Activity">
                <ActivityList tenant={tenant} items={overview.activity} />
              </Section>
              <Own tenant={tenant} home={overview} />
            </div>
          </>
        )}
      </Read>
    </Page>
  )
}

/** All items of one kind of attention. */
export const AttentionPage = ({ tenant, kind }: { tenant: string; kind: ListedKind }) => {
  const home = useQuery(homeQuery(tenant, kind))
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/home" params={{ tenant }} className="link">
          Home
        </Link>
      }
      title={names[kind]}
    >
      <Read query={home} what="the list">
        {({ attention, pending, counted }) => {
          const card = attention[kind]
          return (
            <>
              <Counted pending={pending} counted={counted} />
              {card === null || card.count === 0 ? (
                <Empty title="None">
                  <p>Nothing of this kind needs attention.</p>
                </Empty>
              ) : (
                <div className="card p-4">
                  <Items tenant={tenant} kind={kind} card={card} />
                </div>
              )}
              {card !== null && card.count > card.items.length ? (
                <p className="text-sm text-soft">
                  The first {card.items.length.toLocaleString()} of {card.count.toLocaleString()}.
                </p>
              ) : null}
            </>
          )
        }}
      </Read>
    </Page>
  )
}
