import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import type { ConflictPolicyToken, Repository, RepositoryNoticeType } from '../../../../src/api/repository-shapes.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { RadioField, SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { Failure, needs } from '../../parts/states.tsx'
import { Switch } from '../../parts/choices.tsx'
import { holds, identityQuery } from '../../session.ts'
import { patchRepository } from './changes.ts'
import { useFilePolicy } from './file-policy.tsx'
import { accountName, accountsQuery } from '../linked-accounts/accounts.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { policyQuery, preferencesQuery, type RepositoryAt, repositoryParams, repositoryQuery } from './queries.ts'
import { noticeNames, policyNames, policyOptions } from './words.ts'

/** Whether it is polled, and which account reads it. */
const Reading = ({ at, repository, may }: { at: RepositoryAt; repository: Repository; may: boolean }) => {
  const accounts = useQuery(accountsQuery(at.tenant))
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: (body: Parameters<typeof patchRepository>[1]) => patchRepository(at, body),
  })
  const known = (accounts.data ?? []).filter(({ host }) => host === repository.host)
  const own = repository.linked_account_id
  return (
    <Section title="Reading">
      <div className="card grid gap-4 p-4">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p className="min-w-0 flex-1 basis-72 text-sm">
            <span className="font-medium">Import changes automatically</span>
            <span className="block text-soft">
              The service polls the repository about every 5 minutes, and imports files that changed. Refreshing by hand
              works either way.
            </span>
          </p>
          <Switch
            label={repository.auto_refresh_enabled ? 'On' : 'Off'}
            of="Import changes automatically"
            on={repository.auto_refresh_enabled}
            disabled={!may || change.isPending}
            onChange={(on) => change.mutate({ auto_refresh_enabled: on })}
          />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p className="min-w-0 flex-1 basis-72 text-sm">
            <span className="font-medium">Report on pull requests</span>
            <span className="block text-soft">
              Open pull requests that change files of a bound draft get a commit status and one comment with the
              verdict, the grade and the affected consumers. The account needs to write statuses and comments.
            </span>
          </p>
          <Switch
            label={repository.pull_request_reports ? 'On' : 'Off'}
            of="Report on pull requests"
            on={repository.pull_request_reports}
            disabled={!may || change.isPending}
            onChange={(on) => change.mutate({ pull_request_reports: on })}
          />
        </div>
        {may ? (
          <div className="max-w-md">
            <SelectField
              label="Account that reads it"
              hint={
                repository.private
                  ? 'Private: it cannot be read without an account.'
                  : 'Public: it can be read without one.'
              }
              value={own ?? ''}
              options={[
                { value: '', name: 'None' },
                ...(own === null || known.some(({ id }) => id === own)
                  ? []
                  : [{ value: own, name: 'Personal account of another member' }]),
                ...known.map((one) => ({ value: one.id, name: accountName(one) })),
              ]}
              onChange={(id) => change.mutate({ linked_account_id: id === '' ? null : id })}
            />
          </div>
        ) : null}
        {change.error ? <Failure error={change.error} /> : null}
      </div>
    </Section>
  )
}

/** What happens to drafts that were edited here and in the repository, and the files where something else does. */
const ConflictPolicy = ({ at, may }: { at: RepositoryAt; may: boolean }) => {
  const policy = useQuery(policyQuery(at))
  const file = useFilePolicy(at)
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async (next: ConflictPolicyToken) => {
      await call(repositoriesApi.setConflictPolicy, { params: repositoryParams(at), body: { policy: next } })
      await refreshRepositories(at.tenant)
    },
  })
  return (
    <Section
      title="Conflicts"
      description="What happens to a draft that was edited here while its file changed in the repository. It applies from the next refresh on. Published versions never change: a change of their file is a new draft."
    >
      <Read query={policy} what="the conflict policy">
        {({ policy: present, overrides }) => (
          <>
            {may ? (
              <RadioField
                legend="Conflict policy"
                value={present}
                options={policyOptions}
                onChange={(next) => change.mutate(next)}
              />
            ) : (
              <p>{policyOptions.find(({ value }) => value === present)?.name}</p>
            )}
            {overrides.length > 0 ? (
              <div className="grid gap-2">
                <h3 className="text-sm font-medium">Files with their own policy</h3>
                <ul className="card divide-y" aria-label="Files with their own policy">
                  {overrides.map((override) => (
                    <li
                      key={`${override.branch} ${override.path}`}
                      className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm"
                    >
                      <code className="min-w-0 font-mono text-xs break-all">
                        {override.branch}: {override.path}
                      </code>
                      <span>{policyNames[override.policy]}</span>
                      <span className="ml-auto inline-flex items-center gap-3 text-soft">
                        <Moment at={override.updated_at} />
                        {may ? (
                          <Button
                            busy={file.isPending}
                            onClick={() => file.mutate({ branch: override.branch, path: override.path, policy: null })}
                          >
                            Clear<span className="sr-only"> the policy of {override.path}</span>
                          </Button>
                        ) : null}
                      </span>
                    </li>
                  ))}
                </ul>
              </div>
            ) : null}
          </>
        )}
      </Read>
      {change.error ? <Failure error={change.error} /> : null}
      {file.error ? <Failure error={file.error} /> : null}
    </Section>
  )
}

const Notices = ({ at, may }: { at: RepositoryAt; may: boolean }) => {
  const preferences = useQuery(preferencesQuery(at))
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async (it: { eventType: RepositoryNoticeType; enabled: boolean }) => {
      await call(repositoriesApi.setPreferences, { params: repositoryParams(at), body: { preferences: [it] } })
      await refreshRepositories(at.tenant)
    },
  })
  return (
    <Section
      title="Notifications"
      description="Sent to the administrators, to who added the repository, and to those who imported from it: at most one an hour of each kind."
    >
      <Read query={preferences} what="the notification preferences">
        {({ preferences: all }) => (
          <ul className="card divide-y" aria-label="Notifications">
            {all.map(({ eventType, enabled, throttle }) => {
              const [name, detail] = noticeNames[eventType]
              return (
                <li key={eventType} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
                  <span className="grid min-w-0 flex-1 basis-60">
                    <span className="font-medium">{name}</span>
                    <span className="text-sm text-soft">
                      {detail}
                      {throttle.lastSentAt ? (
                        <>
                          {' '}
                          Last sent <Moment at={throttle.lastSentAt} />
                          {throttle.heldBack > 0 ? `, ${count(throttle.heldBack, 'more', 'more')} held back since` : ''}
                          .
                        </>
                      ) : null}
                    </span>
                  </span>
                  <Switch
                    label={enabled ? 'On' : 'Off'}
                    of={name}
                    on={enabled}
                    disabled={!may || change.isPending}
                    onChange={(on) => change.mutate({ eventType, enabled: on })}
                  />
                </li>
              )
            })}
          </ul>
        )}
      </Read>
      {change.error ? <Failure error={change.error} /> : null}
    </Section>
  )
}

/** How a repository is read and what happens then. */
export const SettingsView = ({ at }: { at: RepositoryAt }) => {
  const repository = useQuery(repositoryQuery(at))
  const identity = useQuery(identityQuery)
  const { open } = useAddress()
  const may = holds(identity.data, at.tenant, 'repositories:edit')
  const mayDelete = holds(identity.data, at.tenant, 'repositories:delete')
  return (
    <Read query={repository} what="the repository">
      {(repository) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          {identity.data && !may ? (
            <p className="text-sm text-soft">{needs('repositories:edit', 'Changing settings')}</p>
          ) : null}
          <Reading at={at} repository={repository} may={may} />
          <ConflictPolicy at={at} may={may} />
          <Notices at={at} may={may} />
          {mayDelete ? (
            <Section
              title="Remove"
              description="Imported documents are kept. At the provider, only the webhook is deleted."
            >
              <div className="flex flex-wrap items-center gap-3">
                <Button look="danger" onClick={() => open('delete')}>
                  Remove the repository …
                </Button>
                <CommandHint command={svcCommand(at.tenant, ['repository', 'delete', repository.id])} />
              </div>
            </Section>
          ) : null}
        </div>
      )}
    </Read>
  )
}
