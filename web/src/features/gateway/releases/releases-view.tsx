import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Release, releasesApi } from '../../../../../src/api/gateway-releases.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { CommandHint } from '../../../parts/commands.tsx'
import { svcCommand } from '../../../parts/copy.tsx'
import { count } from '../../../parts/text.ts'
import { Window } from '../../../parts/dialog.tsx'
import { List, Row } from '../../../parts/list.tsx'
import { Listing } from '../../../parts/listing.tsx'
import { Empty, Notice } from '../../../parts/states.tsx'
import { Menu, MenuItem } from '../../../parts/menu.tsx'
import { Moment, Section } from '../../../parts/page.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { type EnvironmentAt, environmentInput, refreshEnvironments } from '../queries.ts'
import { Comparison } from './comparison.tsx'
import { releasesQuery } from './queries.ts'
import { causeWords, dialectTitle, linesWords } from './words.ts'
import { useState } from 'react'
import { call } from '../../../call.ts'
import { Field, Form, useForm } from '../../../parts/form.tsx'
import { WriteFailure } from '../write-form.tsx'

/** Gives gateways the files of an earlier release again. */
const RollbackForm = ({ at, of: release, onClose }: { at: EnvironmentAt; of: Release; onClose: () => void }) => {
  const [done, setDone] = useState<string | null>(null)
  const { params, query } = environmentInput(at)
  const send = (reason: string, more: { applyWhenApproved?: boolean } = {}) =>
    call(releasesApi.rollback, {
      params: { ...params, release_id: release.id },
      query,
      body: { ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...more },
    })
  const form = useForm({ reason: '' }, async ({ reason }) => {
    const answer = await send(reason)
    setDone(answer.message)
    await refreshEnvironments(at.tenant)
  })
  if (done !== null)
    return (
      <div className="grid gap-4">
        <p role="status">{done}</p>
        <div>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    )
  return (
    <Form
      change={form}
      submit="Roll back"
      look="danger"
      onCancel={onClose}
      failure={(error) => (
        <WriteFailure
          at={at}
          error={error}
          onDone={onClose}
          choose={(applyWhenApproved) => send(form.values.reason, { applyWhenApproved })}
        />
      )}
    >
      <p className="text-soft">
        Gateways get the files of release {release.number} again, as a new release. It holds until the policy changes:
        the policy itself stays as it is. Exceptions that ended meanwhile are not restored.
      </p>
      <Field label="Reason (optional)" maxLength={1000} hint="Shown in the audit trail." {...form.bind('reason')} />
    </Form>
  )
}

/** Gives gateways a release that waits. */
const TakeForm = ({ at, of: release, onClose }: { at: EnvironmentAt; of: Release; onClose: () => void }) => {
  const { params, query } = environmentInput(at)
  const form = useForm({ reason: '' }, async ({ reason }) => {
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    await call(releasesApi.take, { params: { ...params, release_id: release.id }, query, body })
    await refreshEnvironments(at.tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Use this release" onCancel={onClose}>
      <p className="text-soft">
        Gateways get release {release.number}: the same policy and document as a newer svc compiles them.{' '}
        {linesWords(release.diff)}. You can roll back to the release before it.
      </p>
      <Field label="Reason (optional)" maxLength={1000} hint="Shown in the audit trail." {...form.bind('reason')} />
    </Form>
  )
}

/** What a newer svc compiled otherwise, and the way to use it. */
const StagedNotice = ({ of: release, newest, may }: { of: Release; newest: number; may: boolean }) => {
  const { filter, open } = useAddress()
  return (
    <Notice
      tone="info"
      title={`Release ${release.number} waits`}
      actions={
        <>
          <Button onClick={() => filter({ from: newest, to: release.number })}>Show what changes</Button>
          {may ? (
            <Button look="primary" onClick={() => open('take', release.id)}>
              Use this release …
            </Button>
          ) : null}
        </>
      }
    >
      <p>
        {causeWords(release)} Gateways keep release {newest} until someone takes this one, or the policy, the bound
        document or the environment changes.
      </p>
    </Notice>
  )
}

const activeWords = ({ activeOn }: Release): string =>
  activeOn.length === 0 ? 'in use on no gateway' : `in use on ${count(activeOn.length, 'gateway', 'gateways')}`

const ReleaseState = ({ of: release }: { of: Release }) => {
  if (release.isStaged) return <Badge tone="warn">waits</Badge>
  if (release.holds) return <Badge tone="warn">newest, holds</Badge>
  return release.isLatest ? <Badge tone="accent">newest</Badge> : null
}

const ReleaseRow = ({
  at,
  release,
  newest,
  may,
}: {
  at: EnvironmentAt
  release: Release
  newest: number
  may: boolean
}) => {
  const { filter, open } = useAddress()
  const { number } = release
  const nextToNewest = release.isLatest || (release.isStaged && newest === number - 1)
  return (
    <Row>
      <h3 className="font-medium">
        <Link
          to="/t/$tenant/-/gateway/$environment/delivery/releases/$release"
          params={{ ...at, release: String(number) }}
          className="after:absolute after:inset-0"
        >
          Release {number}
        </Link>
      </h3>
      <span title={release.holds ? 'It holds until the policy changes' : ''}>
        <ReleaseState of={release} />
      </span>
      <span className="min-w-0 text-soft wrap-anywhere max-md:w-full">
        {causeWords(release)} {linesWords(release.diff)}.
      </span>
      <span className="truncate text-soft">{release.targets.map(({ engine }) => dialectTitle(engine)).join(', ')}</span>
      <span className="text-soft">{activeWords(release)}</span>
      <span className="text-soft">
        <Moment at={release.createdAt} />
      </span>
      <span className="relative z-10 flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
        {number > 1 || !nextToNewest ? (
          <Menu align="end" label={<span className="sr-only">Actions for release {number}</span>}>
            {number > 1 ? (
              <MenuItem onClick={() => filter({ from: number - 1, to: number })}>Compare with {number - 1}</MenuItem>
            ) : null}
            {nextToNewest ? null : (
              <MenuItem
                onClick={() => filter(release.isStaged ? { from: newest, to: number } : { from: number, to: newest })}
              >
                Compare with {newest}
              </MenuItem>
            )}
            {may && !release.isLatest && !release.isStaged ? (
              <MenuItem onClick={() => open('rollback', release.id)}>Roll back …</MenuItem>
            ) : null}
          </Menu>
        ) : null}
      </span>
    </Row>
  )
}

/** What gateways were given, what differs between two releases, and the way back to one. */
export const ReleasesView = ({
  at,
  from,
  to,
  offset,
}: {
  at: EnvironmentAt
  from: number
  to: number
  offset: number
}) => {
  const releases = useQuery(releasesQuery(at, offset))
  const identity = useQuery(identityQuery)
  const { dialog, item, close, move } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  const failure = releases.data?.failure ?? null
  const items = releases.data?.items ?? []
  const asked = items.find((it) => it.id === item)
  const staged = items.find((it) => it.isStaged)
  const newest = items.find((it) => it.isLatest)
  return (
    <>
      {failure === null ? null : (
        <Notice
          tone="danger"
          title={
            failure.isReleased
              ? 'The bound version of the document cannot be compiled'
              : `There is no release of policy ${failure.policyVersion}`
          }
        >
          <p className="wrap-anywhere">
            {failure.reason} (<Moment at={failure.at} />)
          </p>
          {failure.isReleased ? null : <p>Gateways keep the release before it.</p>}
        </Notice>
      )}
      {staged && newest ? <StagedNotice of={staged} newest={newest.number} may={may} /> : null}
      {from > 0 && to > 0 ? <Comparison at={at} from={from} to={to} /> : null}
      <Section
        title="Releases"
        description="The compiled policy and bound document for each engine. Releases are signed and never change."
        actions={<CommandHint command={svcCommand(at.tenant, ['gateway', 'release', 'list', at.environment])} />}
      >
        <Listing
          query={releases}
          what="the releases"
          one="release"
          onMove={move}
          empty={
            <Empty title="No releases yet">
              <p>The first one is created when a gateway is added.</p>
            </Empty>
          }
        >
          {(listed) => (
            <List
              label="Releases"
              columns="7rem 8.5rem minmax(0,1fr) minmax(0,8rem) 11rem 7rem 2.5rem"
              heads={['Release', 'State', 'Why it was made', 'Engines', 'Use', 'When']}
            >
              {listed.map((one) => (
                <ReleaseRow key={one.id} at={at} release={one} newest={newest?.number ?? one.number} may={may} />
              ))}
            </List>
          )}
        </Listing>
      </Section>
      {asked?.isStaged && may ? (
        <Window open={dialog === 'take'} onClose={close} title={`Use release ${asked.number}`}>
          <TakeForm at={at} of={asked} onClose={close} />
        </Window>
      ) : null}
      {asked && !asked.isStaged && may ? (
        <Window open={dialog === 'rollback'} onClose={close} title={`Roll back to release ${asked.number}`}>
          <RollbackForm at={at} of={asked} onClose={close} />
        </Window>
      ) : null}
    </>
  )
}
