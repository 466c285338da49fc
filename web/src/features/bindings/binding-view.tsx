import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useId, useState } from 'react'
import { type Binding, bindingsApi, type Candidate } from '../../../../src/api/bindings.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, Failure, needs, Notice } from '../../parts/states.tsx'
import { Facts, Moment, Section, Toolbar } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { versionParams, type VersionRef } from '../catalog/versions.ts'
import { BindForm } from './bind-form.tsx'
import { bindingQuery, bindingStatusQuery, refreshBindings } from './queries.ts'
import {
  countWords,
  detectorNames,
  mergeNames,
  mergeTones,
  overlayWords,
  pathWords,
  releaseNames,
  statusNames,
  statusTones,
  verdictOf,
} from './words.ts'
import { shortCommit } from '../repositories/words.ts'

const Commit = ({ sha }: { sha: string }) => <code className="font-mono text-xs">{shortCommit(sha)}</code>

const BindingFacts = ({ tenant, binding }: { tenant: string; binding: Binding }) => (
  <div className="card p-4">
    <Facts
      facts={[
        [
          'Repository',
          binding.repository_id === null ? (
            <a key="repository" href={binding.repo_url} target="_blank" rel="noreferrer" className="link wrap-anywhere">
              {binding.repo_full_name}
            </a>
          ) : (
            <Link
              key="repository"
              to="/t/$tenant/-/repositories/$repository"
              params={{ tenant, repository: binding.repository_id }}
              className="link wrap-anywhere"
            >
              {binding.repo_full_name}
            </Link>
          ),
        ],
        ['Ref', <code className="font-mono text-xs break-all">{binding.ref}</code>],
        [
          'Path',
          binding.browse_url === null ? (
            <code key="path" className="font-mono text-xs break-all">
              {pathWords(binding.path)}
            </code>
          ) : (
            <a
              key="path"
              href={binding.browse_url}
              target="_blank"
              rel="noreferrer"
              className="link inline-flex max-w-full items-center gap-1 font-mono text-xs break-all"
            >
              {binding.path}
              <ExternalLink size={13} className="shrink-0" aria-label="(opens in a new tab)" />
            </a>
          ),
        ],
        [
          'Base',
          <>
            the file at <Commit sha={binding.commit_sha} />, <Moment at={binding.synchronized_at} />
          </>,
        ],
        [
          'Overlays',
          binding.lineage === undefined ? null : (
            <span key="overlays" className="grid gap-0.5">
              {overlayWords(binding).map((words) => (
                <span key={words} className="wrap-anywhere">
                  {words}
                </span>
              ))}
            </span>
          ),
        ],
        [
          'Digest',
          <span key="digest" className="inline-flex max-w-full items-start gap-1">
            <code className="min-w-0 font-mono text-xs break-all">{binding.source_digest}</code>
            <CopyButton text={binding.source_digest} what="the digest" />
          </span>,
        ],
        [
          'Bound',
          <>
            {binding.created_by_name === null ? '' : `by ${binding.created_by_name}, `}
            <Moment at={binding.created_at} />
          </>,
        ],
      ]}
    />
  </div>
)

/** One candidate in a list: what moved and what it means. */
const CandidateRow = ({ at, candidate }: { at: VersionRef; candidate: Candidate }) => {
  const verdict = candidate.summary === null ? null : verdictOf(candidate.summary)
  return (
    <li className="relative grid gap-1 px-4 py-3 hover:bg-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">
          <Link
            to="/t/$tenant/$project/$version/repository/$candidate"
            params={{ ...at, candidate: candidate.id }}
            className="after:absolute after:inset-0"
          >
            <span className="sr-only">Change from </span>
            <Commit sha={candidate.from_commit} /> <span aria-hidden="true">→</span>
            <span className="sr-only">to</span> <Commit sha={candidate.to_commit} />
          </Link>
        </h3>
        {candidate.status === 'pending' ? null : (
          <Badge tone={statusTones[candidate.status]}>{statusNames[candidate.status]}</Badge>
        )}
        {candidate.selection_changed ? (
          <>
            {verdict === null ? null : <Badge tone={verdict.tone}>{verdict.name}</Badge>}
            {candidate.status === 'pending' ? (
              <Badge tone={mergeTones[candidate.merge.state]}>{mergeNames[candidate.merge.state]}</Badge>
            ) : null}
          </>
        ) : (
          <Badge>selection unchanged</Badge>
        )}
        {candidate.summary === null || candidate.summary.lint.after === null ? null : (
          <span className="inline-flex items-center gap-1 text-sm">
            <Grade grade={candidate.summary.lint.before} />
            <span aria-hidden="true">→</span>
            <Grade grade={candidate.summary.lint.after} />
          </span>
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-soft">
        {candidate.summary === null || countWords(candidate.summary) === '' ? null : (
          <span>{countWords(candidate.summary)}</span>
        )}
        {candidate.summary !== null && candidate.summary.consumers.length > 0 ? (
          <span className="text-danger">
            {count(candidate.summary.consumers.length, 'consumer affected', 'consumers affected')}
          </span>
        ) : null}
        <span>
          detected {detectorNames[candidate.detected_by]}, <Moment at={candidate.detected_at} />
        </span>
        {candidate.note === null ? null : <span className="wrap-anywhere">“{candidate.note}”</span>}
      </p>
    </li>
  )
}

const Candidates = ({ at, all, label }: { at: VersionRef; all: readonly Candidate[]; label: string }) => (
  <ul className="card divide-y overflow-hidden" aria-label={label}>
    {all.map((it) => (
      <CandidateRow key={it.id} at={at} candidate={it} />
    ))}
  </ul>
)

const Previous = ({ all }: { all: readonly Binding[] }) => (
  <Section title="Earlier bindings">
    <ul className="card divide-y" aria-label="Earlier bindings">
      {all.map((earlier) => (
        <li key={earlier.id} className="grid gap-0.5 px-4 py-2 text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 font-medium wrap-anywhere">{earlier.repo_full_name}</span>
            <code className="min-w-0 font-mono text-xs break-all">
              {earlier.ref}: {pathWords(earlier.path)}
            </code>
            {earlier.release_reason === null ? null : <Badge>{releaseNames[earlier.release_reason]}</Badge>}
          </p>
          <p className="text-soft">
            at <Commit sha={earlier.commit_sha} />
            {earlier.released_at === null ? null : (
              <>
                , until <Moment at={earlier.released_at} exact />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  </Section>
)

/** Reads the ref now; that nothing moved is an answer, not an error. */
const useCheck = (at: VersionRef) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async (): Promise<'moved' | 'same'> => {
      try {
        await call(bindingsApi.check, { params: versionParams(at) })
      } catch (error) {
        if (error instanceof SvcError && error.code === 'binding-unchanged') return 'same'
        throw error
      }
      await refreshBindings(at.tenant)
      return 'moved'
    },
  })

const Bound = ({
  at,
  binding,
  pending,
  may,
}: {
  at: VersionRef
  binding: Binding
  pending: readonly Candidate[]
  may: boolean
}) => {
  const detail = useQuery(bindingQuery(at, binding.id))
  const check = useCheck(at)
  const { open } = useAddress()
  const history = detail.data?.history ?? []
  return (
    <>
      <Toolbar>
        {may ? (
          <span className="flex flex-wrap items-center gap-2">
            <Button look="primary" busy={check.isPending} onClick={() => check.mutate()}>
              {check.isPending ? 'Checking …' : 'Check now'}
            </Button>
            <Button onClick={() => open('bind')}>Replace …</Button>
            <Button look="danger" onClick={() => open('unbind')}>
              Unbind …
            </Button>
          </span>
        ) : (
          <span className="text-sm text-soft">{needs('versions:edit', 'Changing the binding')}</span>
        )}
        <CommandHint command={svcCommand(at.tenant, ['binding', 'show', at.project, at.version])} />
      </Toolbar>
      {check.error ? <Failure error={check.error} /> : null}
      {check.data === 'same' ? (
        <Notice tone="info" title={`${binding.ref} has no new commits`}>
          <p>The repository is still at the commit that this draft is based on.</p>
        </Notice>
      ) : null}
      {binding.repository_id === null && binding.active ? (
        <p className="text-sm text-soft">
          Bound by URL: changes are found when you check. Add the repository to poll it automatically.
        </p>
      ) : null}
      <BindingFacts tenant={at.tenant} binding={binding} />
      <Section title="Waiting for a decision">
        {pending.length === 0 ? (
          <Empty title="No changes waiting">
            <p>
              New commits on <code className="font-mono">{binding.ref}</code> that change the selected files are shown
              here. The draft changes only when you apply them.
            </p>
          </Empty>
        ) : (
          <Candidates at={at} all={pending} label="Waiting changes" />
        )}
      </Section>
      {history.length > 0 ? (
        <Section title="Decided">
          <Candidates at={at} all={history} label="Decided changes" />
        </Section>
      ) : null}
    </>
  )
}

const Unbound = ({ published, may }: { published: boolean; may: boolean }) => {
  const { open } = useAddress()
  if (published)
    return (
      <Empty title="This version is published">
        <p>Only drafts are bound to a repository. Create a draft from it, and bind that.</p>
      </Empty>
    )
  return (
    <Empty title="Not bound to a repository">
      <p>
        Bind this draft to a branch or tag and its source files. When they change there, you see what the change means
        before anything happens here.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('bind')}>
          Bind to a repository …
        </Button>
      ) : (
        <p>{needs('versions:edit', 'Binding it')}</p>
      )}
    </Empty>
  )
}

/** The repository that a draft is bound to, what waits for a decision, and what was decided. */
export const BindingView = ({ at }: { at: VersionRef }) => {
  const status = useQuery(bindingStatusQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, close } = useAddress()
  const [isReplaced, setReplaced] = useState(false)
  const may = holds(identity.data, at.tenant, 'versions:edit')
  return (
    <Read query={status} what="the binding">
      {({ binding, pending, previous, published, bindable }) => (
        <section aria-label="Repository" className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {isReplaced ? <Notice tone="info" title="The binding was replaced" /> : null}
          {binding === null ? (
            <Unbound published={published} may={may} />
          ) : (
            <Bound key={binding.id} at={at} binding={binding} pending={pending} may={may && bindable} />
          )}
          {previous.length > 0 ? <Previous all={previous} /> : null}
          <Window
            open={dialog === 'bind' && may && bindable}
            onClose={close}
            title={binding === null ? 'Bind to a repository' : 'Bind to something else'}
          >
            <BindForm
              at={at}
              present={binding}
              onClose={close}
              onBound={() => {
                setReplaced(binding !== null)
                close()
              }}
            />
          </Window>
          <DangerConfirmation
            open={dialog === 'unbind' && may && binding !== null}
            onClose={close}
            title="Unbind the draft?"
            action="Unbind"
            onConfirm={async () => {
              await call(bindingsApi.release, { params: versionParams(at) })
              await refreshBindings(at.tenant)
            }}
          >
            <p>
              The draft does not change.{' '}
              {pending.length > 0
                ? `${count(pending.length, 'waiting change is', 'waiting changes are')} superseded.`
                : ''}
            </p>
          </DangerConfirmation>
        </section>
      )}
    </Read>
  )
}
