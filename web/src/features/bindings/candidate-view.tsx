import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useMemo, useState } from 'react'
import type { Binding, Candidate } from '../../../../src/api/bindings.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { DecideBar } from '../../parts/decide-bar.tsx'
import { capitalized, count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { Form, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, Notice } from '../../parts/states.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Comparison, type Shown } from '../comparison/comparison-result.tsx'
import type { VersionRef } from '../catalog/versions.ts'
import {
  Conflicts,
  decide,
  decidedIn,
  type Merge,
  type Sides,
  theirsIn,
  undecided,
} from '../../parts/merge-conflicts.tsx'
import { Aftermath } from './aftermath.tsx'
import { candidateQuery, mergeQuery, settle, takeMerge } from './queries.ts'
import {
  countWords,
  detectorNames,
  mergeDetails,
  mergeNames,
  overlayWords,
  statusNames,
  statusTones,
  verdictOf,
} from './words.ts'
import { shortCommit } from '../repositories/words.ts'

const verdictTones = { danger: 'danger', warn: 'warn' } as const

/** What the change does, to whom, and what it meets in the draft: the first sentence of the page. */
const Verdict = ({ candidate, state }: { candidate: Candidate; state: Candidate['merge']['state'] }) => {
  const { summary } = candidate
  const meets = `${capitalized(mergeNames[state])}: ${mergeDetails[state]}`
  if (summary === null)
    return (
      <Notice tone="info" title="The selection is not one document">
        <p>{meets}</p>
      </Notice>
    )
  const { name, tone } = verdictOf(summary)
  const counts = countWords(summary)
  const whom = summary.consumers.length === 0 ? '' : `, affects ${summary.consumers.join(', ')}`
  return (
    <Notice
      tone={tone === 'danger' || tone === 'warn' ? verdictTones[tone] : 'info'}
      title={`The change in the repository: ${name}${whom}`}
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {counts === '' ? null : <span>{counts}</span>}
        <span className="inline-flex items-center gap-1.5">
          Grade <Grade grade={summary.lint.before} />
          <span aria-hidden="true">→</span>
          <span className="sr-only">then</span>
          <Grade grade={summary.lint.after} />
        </span>
      </p>
      <p>{meets}</p>
    </Notice>
  )
}

type Decision = 'take' | 'apply' | 'dismiss'

const decisions: Readonly<
  Record<Decision, { readonly title: string; readonly action: string; readonly words: string }>
> = {
  take: {
    title: 'Take the change into the draft?',
    action: 'Take into the draft',
    words: 'The changes of the repository are merged into the draft. Your edits stay unless you chose otherwise.',
  },
  apply: {
    title: 'Mark as applied?',
    action: 'Mark as applied',
    words:
      'The draft does not change. The binding continues from this commit, for example because you made the change by hand.',
  },
  dismiss: {
    title: 'Dismiss the change?',
    action: 'Dismiss',
    words: 'The draft and the binding do not change. The next commit is reported again.',
  },
}

const DecisionForm = ({
  at,
  candidate,
  decision,
  theirs,
  onClose,
}: {
  at: VersionRef
  candidate: string
  decision: Decision
  theirs: readonly string[]
  onClose: () => void
}) => {
  const { action, words } = decisions[decision]
  const form = useForm({ note: '' }, async ({ note }) => {
    if (decision === 'take') await takeMerge(at, candidate, theirs, note)
    else await settle(at, candidate, decision === 'apply' ? 'applied' : 'dismissed', note)
    onClose()
  })
  return (
    <Form change={form} submit={action} look={decision === 'dismiss' ? 'danger' : 'primary'} onCancel={onClose}>
      <p className="text-soft">{words}</p>
      <TextField label="Note (optional)" maxLength={2000} {...form.bind('note')} />
    </Form>
  )
}

const ChangedPaths = ({ candidate }: { candidate: Candidate }) =>
  candidate.changed_paths.length === 0 ? null : (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-soft">
        {count(candidate.changed_paths.length, 'changed file', 'changed files')}
        {candidate.changed_paths.length === 200 ? ' or more' : ''}
      </summary>
      <ul className="mt-1 grid gap-0.5 pl-4 font-mono text-xs break-all">
        {candidate.changed_paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
    </details>
  )

const Settled = ({ candidate }: { candidate: Candidate }) => (
  <Notice tone="info" title={`This change is ${statusNames[candidate.status]}`}>
    <p className="wrap-anywhere">
      {candidate.resolved_at === null ? null : (
        <>
          <Moment at={candidate.resolved_at} />
          {candidate.note === null ? '' : ': '}
        </>
      )}
      {candidate.note}
    </p>
  </Notice>
)

/** What the draft would become: its conflicts, and its changes as the comparison page shows them. */
const Outcome = ({
  at,
  binding,
  candidate,
  merge,
  shown,
  sides,
  onChoose,
}: {
  at: VersionRef
  binding: Binding
  candidate: Candidate
  merge: Merge
  shown: Shown
  sides: Sides
  onChoose?: ComponentProps<typeof Conflicts>['onChoose']
}) => {
  const { tenant, project, version } = at
  const name = `${binding.version_label ?? version} with ${shortCommit(candidate.to_commit)}`
  // The same pair as long as the text is the same: a comparison is read once.
  const pair = useMemo(
    () => ({ tenant, base: { project, version }, head: { name, text: merge.document ?? '' } }),
    [tenant, project, version, name, merge.document],
  )
  return (
    <>
      {merge.conflicts.length > 0 ? (
        <Conflicts merge={merge} sides={sides} {...(onChoose ? { onChoose } : {})} />
      ) : null}
      {merge.document === null ? null : (
        <Section
          title="Merged draft"
          description={
            decidedIn(merge, sides) < merge.conflicts.length
              ? 'The draft compared with the draft after taking the change, as if the draft were kept where nothing is decided.'
              : 'The draft compared with the draft after taking the change.'
          }
        >
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {onChoose ? <Aftermath at={at} text={merge.document} /> : null}
            <Comparison pair={pair} shown={shown} />
          </div>
        </Section>
      )}
    </>
  )
}

/** What a person can decide about a change. */
const Actions = ({
  mayTake,
  merge,
  sides,
}: {
  mayTake: boolean
  /** Undefined until it is read. */
  merge: Merge | undefined
  sides: Sides
}) => {
  const { open } = useAddress()
  const all = merge?.conflicts.length ?? 0
  const done = merge === undefined ? 0 : decidedIn(merge, sides)
  return (
    <DecideBar
      facts={
        all === 0 ? (
          <span>{mayTake ? 'No conflict to decide' : 'Nothing to take into the draft'}</span>
        ) : (
          <Badge tone={done < all ? 'warn' : 'ok'}>
            {done.toLocaleString()} of {count(all, 'conflict', 'conflicts')} decided
          </Badge>
        )
      }
    >
      <Button onClick={() => open('dismiss')}>Dismiss …</Button>
      <Button onClick={() => open('apply')}>Mark as applied …</Button>
      {mayTake ? (
        <Button disabled={merge === undefined || done < all} onClick={() => open('take')}>
          Take into the draft …
        </Button>
      ) : null}
    </DecideBar>
  )
}

const Heading = ({ binding, candidate }: { binding: Binding; candidate: Candidate }) => (
  <div className="grid min-w-0 gap-1">
    <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
      <span className="wrap-anywhere">
        {binding.repo_full_name} {binding.ref}
      </span>
      <Badge tone={statusTones[candidate.status]}>{statusNames[candidate.status]}</Badge>
    </h2>
    <p className="text-sm text-soft">
      <code className="font-mono text-xs">
        {shortCommit(candidate.from_commit)} → {shortCommit(candidate.to_commit)}
      </code>
      , detected {detectorNames[candidate.detected_by]}, <Moment at={candidate.detected_at} />
    </p>
    {overlayWords(candidate).map((words) => (
      <p key={words} className="text-sm wrap-anywhere text-soft">
        With the overlay {words}
      </p>
    ))}
    <ChangedPaths candidate={candidate} />
  </div>
)

const Review = ({
  at,
  binding,
  candidate,
  shown,
}: {
  at: VersionRef
  binding: Binding
  candidate: Candidate
  shown: Shown
}) => {
  const identity = useQuery(identityQuery)
  const [sides, setSides] = useState<Sides>(undecided)
  const chosen = useMemo(() => theirsIn(sides), [sides])
  const isOpen = candidate.status === 'pending'
  const merge = useQuery({ ...mergeQuery(at, candidate.id, chosen), enabled: isOpen && candidate.selection_changed })
  const { dialog, close } = useAddress()
  const may = isOpen && holds(identity.data, at.tenant, 'versions:edit')
  const state = merge.data?.state ?? candidate.merge.state
  const mayTake = may && candidate.selection_changed && state !== 'unreadable'
  const decision = (Object.keys(decisions) as Decision[]).find((one) => one === dialog)
  return (
    <>
      {isOpen ? null : <Settled candidate={candidate} />}
      {candidate.selection_changed ? (
        <Verdict candidate={candidate} state={state} />
      ) : (
        <Notice tone="info" title="The selected files did not change">
          <p>
            The branch has new commits, but they do not change the selected files. Mark the change as applied to
            continue from this commit.
          </p>
        </Notice>
      )}
      <Heading binding={binding} candidate={candidate} />
      {isOpen && candidate.selection_changed ? (
        <Read query={merge} what="the merge">
          {(data) => (
            <Outcome
              at={at}
              binding={binding}
              candidate={candidate}
              merge={data}
              shown={shown}
              sides={sides}
              {...(may ? { onChoose: (ids, side) => setSides((before) => decide(before, ids, side)) } : {})}
            />
          )}
        </Read>
      ) : null}
      {may ? <Actions mayTake={mayTake} merge={merge.data} sides={sides} /> : null}
      {isOpen ? (
        <CommandHint command={svcCommand(at.tenant, ['binding', 'merge', at.project, at.version, candidate.id])} />
      ) : null}
      <Window
        open={decision !== undefined && may}
        onClose={close}
        title={decision === undefined ? '' : decisions[decision].title}
      >
        {decision === undefined ? null : (
          <DecisionForm at={at} candidate={candidate.id} decision={decision} theirs={chosen} onClose={close} />
        )}
      </Window>
    </>
  )
}

/** One change of the repository for a bound draft: what it means, what it meets in the draft, and the decision. */
export const CandidateView = ({ at, candidate, shown }: { at: VersionRef; candidate: string; shown: Shown }) => {
  const found = useQuery(candidateQuery(at, candidate))
  return (
    <section aria-label="Change of the repository" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <p className="-mb-2 text-sm">
        <Link to="/t/$tenant/$project/$version/repository" params={{ ...at }} className="link">
          Repository of this draft
        </Link>
      </p>
      <Read query={found} what="the change">
        {(data) =>
          data === null ? (
            <Empty title="Change not found">
              <p>It may belong to another version.</p>
              <Link to="/t/$tenant/$project/$version/repository" params={{ ...at }} className={buttonClass()}>
                Repository of this draft
              </Link>
            </Empty>
          ) : (
            <Review key={data.candidate.id} at={at} binding={data.binding} candidate={data.candidate} shown={shown} />
          )
        }
      </Read>
    </section>
  )
}
