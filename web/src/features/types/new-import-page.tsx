import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import type { SourceKind } from '../../../../src/types/limits.ts'
import { call } from '../../call.ts'
import { DocumentField } from '../../parts/document-field.tsx'
import { useAddress } from '../../parts/address.ts'
import { ChosenFile, DropField, type TextFile } from '../../parts/drop-field.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Field, Form, RadioField, SelectField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { accountsQuery } from '../linked-accounts/accounts.ts'
import { importsQuery } from './queries.ts'
import {
  guessKind,
  kindOptions,
  type Method,
  methodNames,
  methods,
  readKind,
  readMethod,
  sourceLimit,
} from './sources.ts'
import { Steps } from './steps.tsx'
import { queryClient } from '../../query-client.ts'

interface Texts extends Record<string, string> {
  readonly content: string
  readonly url: string
  readonly repo_url: string
  readonly ref: string
  readonly path: string
  readonly account: string
  readonly namespace: string
}

const empty: Texts = { content: '', url: '', repo_url: '', ref: '', path: '', account: '', namespace: '' }

const sourceOf = (method: Method, given: Texts, file: TextFile | null) => {
  if (method === 'paste') return { content: given.content }
  if (method === 'file') return { content: file?.text ?? '', filename: file?.name ?? '' }
  if (method === 'url') return { url: given.url }
  return {
    repo_url: given.repo_url,
    path: given.path,
    ...(given.ref === '' ? {} : { ref: given.ref }),
    ...(given.account === '' ? {} : { linked_account_id: given.account }),
  }
}

type Source = ReturnType<typeof useForm<Texts>>

/** Which linked account reads a repository; nothing where there is none. */
const AccountField = ({
  tenant,
  value,
  onChange,
}: {
  tenant: string
  value: string
  onChange: (id: string) => void
}) => {
  const { data: accounts = [] } = useQuery(accountsQuery(tenant))
  if (accounts.length === 0) return null
  return (
    <SelectField
      label="Read with (optional)"
      hint="A private repository needs a linked account."
      value={value}
      options={[
        { value: '', name: 'No account' },
        ...accounts.map((it) => ({ value: it.id, name: `${it.login} on ${it.host}` })),
      ]}
      onChange={onChange}
    />
  )
}

const GitFields = ({ tenant, form }: { tenant: string; form: Source }) => (
  <>
    <Field
      label="Repository"
      required
      inputMode="url"
      spellCheck={false}
      placeholder="https://github.com/acme/types.git"
      {...form.bind('repo_url')}
    />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="File" required spellCheck={false} placeholder="schemas/money.json" {...form.bind('path')} />
      <Field
        label="Branch, tag or commit (optional)"
        spellCheck={false}
        hint="Default: the default branch."
        {...form.bind('ref')}
      />
    </div>
    <AccountField tenant={tenant} value={form.values.account} onChange={(account) => form.set({ account })} />
  </>
)

const SourceFields = ({
  tenant,
  method,
  form,
  file,
  onFile,
}: {
  tenant: string
  method: Method
  form: Source
  file: TextFile | null
  onFile: (file: TextFile | null) => void
}) => {
  if (method === 'git') return <GitFields tenant={tenant} form={form} />
  if (method === 'url')
    return (
      <Field
        label="URL"
        required
        inputMode="url"
        spellCheck={false}
        placeholder="https://example.com/types.json"
        {...form.bind('url')}
      />
    )
  if (method === 'paste')
    return (
      <DocumentField label="JSON or YAML" value={form.values.content} onChange={(content) => form.set({ content })} />
    )
  if (file) return <ChosenFile file={file} onRemove={() => onFile(null)} />
  return (
    <DropField
      label="Choose a file or drop it here"
      accept=".json,.yaml,.yml,.schema"
      onText={(name, text) => onFile({ name, text })}
    />
  )
}

const StageForm = ({ tenant, from, kind: kindText }: { tenant: string; from?: string; kind?: string }) => {
  const navigate = useNavigate()
  const { filter } = useAddress()
  const [file, setFile] = useState<TextFile | null>(null)
  const method = readMethod(from)
  const form = useForm<Texts>(empty, async (given) => {
    const staged = await call(primitivesApi.stage, {
      params: { tenant_slug: tenant },
      body: {
        source_kind: kind,
        method,
        ...sourceOf(method, given, file),
        ...(given.namespace === '' ? {} : { namespace: given.namespace }),
      },
    })
    await queryClient.invalidateQueries({ queryKey: importsQuery(tenant).queryKey })
    await navigate({ to: '/t/$tenant/-/types/imports/$import', params: { tenant, import: staged.import_id } })
  })
  const texts: Readonly<Record<string, string>> = { paste: form.values.content, file: file?.text ?? '' }
  const text = texts[method] ?? ''
  const kind: SourceKind = readKind(kindText) ?? guessKind(text)
  const tooLarge = text.length > sourceLimit
  const missing = method === 'file' && file === null
  return (
    <Form change={form} submit="Review the types" disabled={missing || tooLarge}>
      <Choices
        label="Where the types are"
        value={method}
        choices={methods.map((value) => ({ value, name: methodNames[value] }))}
        onChange={(next) => {
          if (next !== null) filter({ from: next === 'file' ? undefined : next })
        }}
      />
      <SourceFields tenant={tenant} method={method} form={form} file={file} onFile={setFile} />
      {tooLarge ? (
        <p role="alert" className="text-sm text-danger">
          The source is larger than 16 MB. Divide it and import the parts.
        </p>
      ) : null}
      <RadioField
        legend="Kind of document"
        value={kind}
        options={kindOptions}
        onChange={(next) => filter({ kind: next })}
      />
      <Field
        label="Namespace (optional)"
        spellCheck={false}
        placeholder="acme/money"
        hint="Of types that name none themselves. Default: the one of the document, or the slug of the organization."
        {...form.bind('namespace')}
      />
    </Form>
  )
}

/** The first step of an import: where the types are. Nothing is registered by it. */
export const NewImportPage = ({ tenant, ...given }: { tenant: string; from?: string; kind?: string }) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      trail={
        <>
          <Link to="/t/$tenant/-/types" params={{ tenant }} className="link">
            Types
          </Link>
          <span aria-hidden="true">/</span>
          <Link to="/t/$tenant/-/types/imports" params={{ tenant }} className="link">
            Imports
          </Link>
        </>
      }
      title="Import types"
      description="The types are shown before anything is registered."
    >
      <Read query={identity} what="your role">
        {(who) =>
          holds(who, tenant, 'primitives:edit') ? (
            <>
              <Toolbar>
                <Steps at={1} />
                <CommandHint command={svcCommand(tenant, ['type', 'import', 'types.json'])} />
              </Toolbar>
              <StageForm tenant={tenant} {...given} />
            </>
          ) : (
            <NoPermission permission="primitives:edit" />
          )
        }
      </Read>
    </Page>
  )
}
