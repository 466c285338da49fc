import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { type Binding, bindingsApi } from '../../../../src/api/bindings.ts'
import { call } from '../../call.ts'
import { Choices } from '../../parts/choices.tsx'
import { Field, Form, RadioField, SelectField, useForm } from '../../parts/form.tsx'
import { count } from '../../parts/text.ts'
import { Notice } from '../../parts/states.tsx'
import { Picker } from '../../parts/picker.tsx'
import { versionParams, type VersionRef } from '../catalog/versions.ts'
import { shortCommit } from '../repositories/words.ts'
import { refreshBindings, takeFile } from './queries.ts'
import { accountName, accountsQuery } from '../linked-accounts/accounts.ts'
import { folderQuery, foundFilesQuery, repositoriesQuery } from '../repositories/queries.ts'

const everything = { preset: 'specs', vendored: false, hidden: false } as const

/** The ref and the path within a registered repository: what is indexed of it is offered, anything else can be typed. */
const useOffers = (tenant: string, repository: string, branch: string, path: string) => {
  const at = { tenant, repository }
  const top = useQuery({ ...folderQuery(at, { ...everything, branch: '' }, '', 0), enabled: repository !== '' })
  const known = top.data?.branches.includes(branch) === true ? branch : ''
  const found = useQuery({
    ...foundFilesQuery(at, { ...everything, branch: known }, path),
    enabled: repository !== '' && path.length > 0,
  })
  return { branches: top.data?.branches ?? [], paths: (found.data?.files ?? []).slice(0, 20).map((it) => it.path) }
}

type Source = 'registered' | 'url'

type BindWords = Record<'url' | 'ref' | 'path', string>
type BindFields = Pick<ReturnType<typeof useForm<BindWords>>, 'bind'>

/** Which repository is bound: a registered one, or any by its URL with the account that reads it. */
const useRepositoryChoice = (tenant: string, present: Binding | null) => {
  const repositories = useQuery(repositoriesQuery(tenant))
  const accounts = useQuery(accountsQuery(tenant))
  const [chosen, setSource] = useState<Source | null>(null)
  const [picked, setRepository] = useState(present?.repository_id ?? '')
  const [account, setAccount] = useState('')
  const known = repositories.data ?? []
  // Where there is only one, it is meant.
  const repository = picked === '' && known.length === 1 ? (known[0]?.id ?? '') : picked
  const source: Source = chosen ?? (known.length > 0 || repositories.isPending ? 'registered' : 'url')
  return {
    source,
    setSource,
    repository,
    setRepository,
    account,
    setAccount,
    known,
    isRead: repositories.data !== undefined,
    accounts: accounts.data ?? [],
  }
}

const RepositoryFields = ({ choice, form }: { choice: ReturnType<typeof useRepositoryChoice>; form: BindFields }) =>
  choice.source === 'registered' ? (
    <Picker
      label="Repository"
      value={choice.repository}
      options={choice.known.map((it) => ({ value: it.id, name: it.full_name, detail: it.host }))}
      onChoose={choice.setRepository}
      placeholder={choice.known.length === 0 && choice.isRead ? 'No repositories yet' : 'Choose a repository'}
    />
  ) : (
    <>
      <Field
        label="URL"
        type="url"
        spellCheck={false}
        placeholder="https://github.com/acme/specs"
        hint="The service reads it when you check for changes. Only registered repositories are polled."
        {...form.bind('url', 'repo_url')}
      />
      {choice.accounts.length > 0 ? (
        <SelectField
          label="Account that reads it"
          value={choice.account}
          options={[
            { value: '', name: 'None: it is public' },
            ...choice.accounts.map((it) => ({ value: it.id, name: accountName(it) })),
          ]}
          onChange={choice.setAccount}
        />
      ) : null}
    </>
  )

/** The ref and the path within the repository. */
const SelectionFields = ({ offers, form }: { offers: ReturnType<typeof useOffers>; form: BindFields }) => {
  const lists = useId()
  return (
    <>
      <Field
        label="Branch or tag"
        spellCheck={false}
        list={`${lists}-refs`}
        placeholder="the default branch"
        {...form.bind('ref')}
      />
      <datalist id={`${lists}-refs`}>
        {offers.branches.map((it) => (
          <option key={it} value={it} />
        ))}
      </datalist>
      <Field
        label="Path"
        spellCheck={false}
        maxLength={1024}
        list={`${lists}-paths`}
        placeholder="openapi.yaml"
        hint="A file, a folder, or a glob such as apis/**/*.yaml. Empty selects the whole tree. Overlays that a svc.yaml there names are applied."
        {...form.bind('path')}
      />
      <datalist id={`${lists}-paths`}>
        {offers.paths.map((it) => (
          <option key={it} value={it} />
        ))}
      </datalist>
    </>
  )
}

type Comparison = Output<typeof bindingsApi.compare>

/** What the draft and the file both come from, or that the file replaces the draft. */
type Beginning = 'origin' | 'file' | 'take'

const hasWaiting = ({ origin }: Comparison): boolean => origin !== null && origin.file_places > 0

/** Where the draft and the file differ before they are bound, and what is to become of that. */
const BeginningField = ({
  found,
  value,
  onChange,
}: {
  found: Comparison
  value: Beginning
  onChange: (next: Beginning) => void
}) => {
  const { origin, places, commit } = found
  const waits = hasWaiting(found)
  return (
    <div className="grid gap-3">
      <Notice
        tone="warn"
        title={
          places === null
            ? 'The draft differs from the file'
            : `The draft differs from the file in ${count(places, 'place', 'places')}`
        }
      >
        <p>
          {origin === null
            ? `The file was read at ${shortCommit(commit)}. No commit is known that the draft was taken from.`
            : `Since ${shortCommit(origin.commit)}, where the draft comes from: ${count(origin.file_places, 'change', 'changes')} in the file, ${count(origin.draft_places, 'change', 'changes')} in the draft.`}
        </p>
      </Notice>
      <RadioField
        legend="What to do"
        value={value}
        options={[
          ...(waits
            ? [
                {
                  value: 'origin' as const,
                  name: 'Review the changes of the file',
                  detail: 'They wait as one change, which you merge, apply or dismiss.',
                },
              ]
            : []),
          {
            value: 'file' as const,
            name: 'Keep the draft',
            detail: 'What differs are edits of the draft. Later changes of the file are merged with them.',
          },
          ...(found.document === null
            ? []
            : [
                {
                  value: 'take' as const,
                  name: 'Replace the draft with the file',
                  detail: 'The draft loses its edits.',
                },
              ]),
        ]}
        onChange={onChange}
      />
    </div>
  )
}

/** Binds a draft to a ref and a path of a repository; both are read, and compared with the draft, before anything is stored. */
export const BindForm = ({
  at,
  present,
  onClose,
  onBound,
}: {
  at: VersionRef
  /** The binding that is replaced. */
  present: Binding | null
  onClose: () => void
  onBound: () => void
}) => {
  const choice = useRepositoryChoice(at.tenant, present)
  const { source, repository, account } = choice
  const [found, setFound] = useState<{ readonly of: string; readonly comparison: Comparison } | null>(null)
  const [beginning, setBeginning] = useState<Beginning>('file')
  const targetOf = ({ url, ref, path }: BindWords) => ({
    ...(source === 'registered' ? { repository_id: repository } : { repo_url: url.trim() }),
    ...(source === 'url' && account !== '' ? { linked_account_id: account } : {}),
    ...(ref.trim() === '' ? {} : { ref: ref.trim() }),
    path: path.trim(),
  })
  const form = useForm({ url: '', ref: present?.ref ?? '', path: present?.path ?? '' }, async (words) => {
    const target = targetOf(words)
    const of = JSON.stringify(target)
    const known = found?.of === of
    const comparison = known
      ? found.comparison
      : await call(bindingsApi.compare, { params: versionParams(at), body: target })
    if (comparison.differs && comparison.document !== null && !known) {
      setBeginning(hasWaiting(comparison) ? 'origin' : 'file')
      setFound({ of, comparison })
      return
    }
    const chosen = comparison.differs && known ? beginning : 'file'
    if (chosen === 'take' && comparison.document !== null) await takeFile(at, comparison.document)
    await call(bindingsApi.create, {
      params: versionParams(at),
      body: {
        ...target,
        base: chosen === 'origin' ? 'origin' : 'file',
        ...(present === null ? {} : { replace: true }),
      },
    })
    await refreshBindings(at.tenant)
    onBound()
  })
  const offers = useOffers(
    at.tenant,
    source === 'registered' ? repository : '',
    form.values.ref.trim(),
    form.values.path.trim(),
  )
  const isReady = source === 'registered' ? repository !== '' : form.values.url.trim() !== ''
  // What was found belongs to what was asked: another path is compared again.
  const asks = found !== null && found.of === JSON.stringify(targetOf(form.values)) ? found.comparison : null
  return (
    <Form
      change={form}
      submit={present === null ? 'Bind the draft' : 'Replace the binding'}
      disabled={!isReady}
      onCancel={onClose}
    >
      <Choices
        label="Where the repository is"
        value={source}
        choices={[
          { value: 'registered', name: 'Registered repository' },
          { value: 'url', name: 'URL' },
        ]}
        onChange={(next) => choice.setSource(next === 'url' ? 'url' : 'registered')}
      />
      <RepositoryFields choice={choice} form={form} />
      <SelectionFields offers={offers} form={form} />
      {asks === null ? null : <BeginningField found={asks} value={beginning} onChange={setBeginning} />}
      {present === null ? null : (
        <p className="text-sm text-soft">The current binding is removed; its waiting changes are superseded.</p>
      )}
    </Form>
  )
}
