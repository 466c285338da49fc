import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { attentionKinds, type Attention, type Home } from '../../../../src/api/home.ts'
import { Grade } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { count } from '../../parts/count.ts'
import { Read } from '../../parts/listing.tsx'
import { Moment, Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ActivityList } from './activity-list.tsx'
import { AttentionCard, Items } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import type { ListedKind } from './kinds.ts'
import { homeQuery } from './queries.ts'
import { names } from './words.ts'

const Pending = ({ pending }: { pending: number }) =>
  pending === 0 ? null : (
    <p role="status" className="text-sm text-soft">
      {count(pending, 'draft is', 'drafts are')} being checked …
    </p>
  )

const Cards = ({ tenant, attention }: { tenant: string; attention: Attention }) => {
  const all = attentionKinds.flatMap((kind) => {
    const card = attention[kind]
    return card === null ? [] : [{ kind, card }]
  })
  const full = all.filter(({ card }) => card.count > 0)
  const rest = all.filter(({ card }) => card.count === 0)
  return (
    <>
      {full.length === 0 ? (
        <Empty title="Nothing needs your attention">
          <p>Blocked and breaking drafts, grades that fell, reviews, drift and expiring keys will be counted here.</p>
        </Empty>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {full.map(({ kind, card }) => (
            <AttentionCard key={kind} tenant={tenant} kind={kind} card={card} />
          ))}
        </div>
      )}
      {full.length > 0 && rest.length > 0 ? (
        <p className="text-sm text-soft">None: {rest.map(({ kind }) => names[kind]).join(' · ')}</p>
      ) : null}
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
          {drafts.map((it) => (
            <li
              key={`${it.project_slug} ${it.label}`}
              className="relative flex items-center gap-3 px-4 py-2 text-sm hover:bg-raised"
            >
              <Grade grade={it.grade} />
              <Link
                to="/t/$tenant/$project/$version"
                params={{ tenant, project: it.project_slug, version: it.version_slug }}
                className="min-w-0 grow break-words after:absolute after:inset-0"
              >
                {it.project_name} <span className="font-mono text-[0.9em]">{it.label}</span>
              </Link>
              <span className="text-xs whitespace-nowrap text-soft">
                <Moment at={it.updated_at} />
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
          {projects.map((it) => (
            <li key={it.project_slug} className="relative px-4 py-2 text-sm hover:bg-raised">
              <Link
                to="/t/$tenant/$project"
                params={{ tenant, project: it.project_slug }}
                className="break-words after:absolute after:inset-0"
              >
                {it.project_name}
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
  const name = identity.data?.memberships.find((it) => it.slug === tenant)?.name ?? tenant
  return (
    <Page
      title="Home"
      description={name}
      actions={
        holds(identity.data, tenant, 'projects:create') ? (
          <Link to="/t/$tenant/-/import" params={{ tenant }} className={buttonClass('primary')}>
            Import a document
          </Link>
        ) : null
      }
    >
      <Read query={home} what="what needs attention">
        {(it) => (
          <>
            {holds(identity.data, tenant, 'api_keys:create') ? (
              <FirstSteps tenant={tenant} steps={it.steps} hasSample={it.has_sample} />
            ) : null}
            <Section title="Needs attention" actions={<Pending pending={it.pending} />}>
              <Cards tenant={tenant} attention={it.attention} />
            </Section>
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
              <Section title="Activity">
                <ActivityList tenant={tenant} items={it.activity} />
              </Section>
              <Own tenant={tenant} home={it} />
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
        {({ attention, pending }) => {
          const card = attention[kind]
          return (
            <>
              <Pending pending={pending} />
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
