import { useDebounced } from '../../parts/use-debounced.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { SvcError } from '../../../../src/errors.ts'
import { callText } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { UnsavedGuard, Window } from '../../parts/dialog.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty, Failure, NoPermission } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { holds, identityQuery } from '../../session.ts'
import { ChangesView, VerdictCard } from './comparison-view.tsx'
import { needsLook } from './impact.ts'
import { ImpactView } from './impact-view.tsx'
import { comparisonQuery, type ReadType, refreshTypes, type TypeAt, typeParams, typeQuery } from './queries.ts'
import { SchemaEditor } from './schema-editor.tsx'
import { readSchemaText, refusedAt, type SchemaValue, type ReadText } from './schema-text.ts'
import { isBuiltin, readTags, writeTags } from './words.ts'
import { TypeFields } from './type-fields.tsx'
import { TypeTrail } from './type-page.tsx'

type Details = Record<'description' | 'category' | 'tags', string>

const detailsOf = (record: PrimitiveRecord): Details => ({
  description: record.description,
  category: record.category ?? '',
  tags: writeTags(record.tags),
})

const textOf = (record: PrimitiveRecord): string => `${writeJson(record.schema)}\n`

/** What a person changed; what was not touched is not sent. */
const patchOf = (
  record: PrimitiveRecord,
  given: Details & { schema: SchemaValue; visibility: PrimitiveRecord['visibility'] },
) => {
  const before = detailsOf(record)
  const isSame = JSON.stringify(given.schema) === JSON.stringify(record.schema)
  return {
    ...(isSame ? {} : { schema: given.schema }),
    ...(given.description === before.description ? {} : { description: given.description }),
    ...(given.category === before.category ? {} : { category: given.category === '' ? null : given.category }),
    ...(given.tags === before.tags ? {} : { tags: readTags(given.tags) }),
    ...(given.visibility === record.visibility ? {} : { visibility: given.visibility }),
  }
}

/** Someone was faster: their type to continue from, and one's own text to copy from. */
const Conflict = ({ text, onReload }: { text: string; onReload: () => void }) => (
  <div role="alert" className="card grid gap-3 border-warn p-4">
    <p className="font-semibold text-warn">Someone changed this type meanwhile</p>
    <p>Nothing was saved. Copy your text, then continue with the newest revision.</p>
    <div className="flex flex-wrap items-center gap-3">
      <span className="flex items-center gap-1 text-sm text-soft">
        Copy your text <CopyButton text={text} what="your text" />
      </span>
      <Button look="primary" onClick={onReload}>
        Continue with the newest revision
      </Button>
    </div>
  </div>
)

const failure = (text: string, onReload: () => void) => (error: unknown) => {
  const code = error instanceof SvcError ? error.code : null
  if (code === 'primitive-changed') return <Conflict text={text} onReload={onReload} />
  return code === 'primitive-schema-invalid' ? null : <Failure error={error} />
}

/** What a new schema means for those who use the type, before it is saved; null while nothing can be saved. */
const SaveWindow = ({
  at,
  revision,
  schema,
  onSave,
}: {
  at: TypeAt
  revision: number
  schema: ReadText['schema']
  onSave: () => void
}) => {
  const { dialog, close } = useAddress()
  return (
    <Window open={dialog === 'save' && schema !== null} onClose={close} title={`Save revision ${revision}?`}>
      {schema === null ? null : <ImpactView at={at} schema={schema} />}
      <div className="flex flex-wrap gap-3">
        <Button
          look="primary"
          onClick={() => {
            close()
            onSave()
          }}
        >
          Save revision {revision}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </Window>
  )
}

/** The schema as it is written, compared with the stored one once typing rests. */
const useWrittenSchema = (at: TypeAt, stored: string) => {
  const [text, setText] = useState(stored)
  const debounced = useDebounced(text)
  const parsed = useMemo(() => readSchemaText(debounced), [debounced])
  const isOther = debounced !== stored
  const compared = useQuery({
    ...comparisonQuery(at, { schema: parsed.schema ?? true }),
    enabled: isOther && parsed.schema !== null,
    placeholderData: (before) => before,
  })
  // The change of a text is saved at once; what it means for others is shown before any other change.
  const isKnown = debounced === text && compared.data !== undefined && !compared.isPlaceholderData
  const asks = text !== stored && !(isKnown && !needsLook(compared.data))
  return { text, setText, parsed, compared, shown: isOther ? compared.data : undefined, asks }
}

const isSameDetails = (a: Details, b: Details): boolean =>
  (['description', 'category', 'tags'] as const).every((name) => a[name] === b[name])

const Editing = ({ at, read, onReload }: { at: TypeAt; read: ReadType; onReload: () => void }) => {
  const { record, etag } = read
  const navigate = useNavigate()
  const { text, setText, parsed, compared, ...written } = useWrittenSchema(at, textOf(record))
  const [visibility, setVisibility] = useState(record.visibility)
  const sides = { base: `revision ${record.revision}`, head: 'your text' }
  const { open } = useAddress()
  const leave = () =>
    navigate({ to: '/t/$tenant/-/types/$type', params: { ...at }, replace: true, ignoreBlocker: true })
  const form = useForm<Details>(detailsOf(record), async (details) => {
    const { schema } = readSchemaText(text)
    if (schema === null) return
    const body = patchOf(record, { ...details, schema, visibility })
    const headers = etag === null ? {} : { 'if-match': etag }
    await callText(primitivesApi.update, { params: typeParams(at), headers, body })
    await refreshTypes(at.tenant)
    await leave()
  })
  const refused = refusedAt(compared.error ?? form.error, parsed)
  const problems = parsed.problems.length > 0 ? parsed.problems : refused
  const shown = problems.length === 0 ? written.shown : undefined
  const before = detailsOf(record)
  const isTouched = text !== textOf(record) || visibility !== record.visibility || !isSameDetails(form.values, before)
  const ready = isTouched && problems.length === 0
  const save = (): void => (written.asks ? open('save') : form.mutate())
  return (
    <>
      <UnsavedGuard unsaved={isTouched && !form.isPending} what="this type" />
      <Form
        change={{ ...form, mutate: save }}
        submit={text === textOf(record) ? 'Save' : `Save as revision ${record.revision + 1}`}
        disabled={!ready}
        onCancel={() => void leave()}
        cancel={isTouched ? 'Discard' : 'Back'}
        failure={failure(text, onReload)}
        note={isTouched ? <span className="text-sm text-soft">Unsaved changes</span> : null}
      >
        <div className="grid gap-1">
          <p className="text-sm font-medium">Schema</p>
          <SchemaEditor
            tenant={at.tenant}
            text={text}
            problems={problems}
            onChange={setText}
            onSave={() => {
              if (ready && !form.isPending) save()
            }}
          />
        </div>
        <TypeFields bind={form.bind} visibility={visibility} onVisibility={setVisibility} />
        {shown ? <VerdictCard compared={shown} {...sides} /> : null}
      </Form>
      {shown ? (
        <Section
          title="What changes"
          actions={<CommandHint command={svcCommand(at.tenant, ['type', 'impact', record.ref, 'schema.json'])} />}
        >
          <ChangesView tenant={at.tenant} compared={shown} {...sides} />
        </Section>
      ) : null}
      <SaveWindow
        at={at}
        revision={record.revision + 1}
        schema={ready && !form.isPending ? parsed.schema : null}
        onSave={form.mutate}
      />
    </>
  )
}

/** Changes a type: another schema is another revision. What it changes is shown before it is saved. */
export const EditTypePage = (at: TypeAt) => {
  // What is edited stays what was read, whatever is read in the meantime.
  const read = useQuery({ ...typeQuery(at), staleTime: Number.POSITIVE_INFINITY })
  const identity = useQuery(identityQuery)
  const [turn, setTurn] = useState(0)
  const reload = async (): Promise<void> => {
    await queryClient.refetchQueries({ queryKey: typeQuery(at).queryKey })
    setTurn(turn + 1)
  }
  const { tenant, type } = at
  return (
    <Page
      trail={
        <>
          <TypeTrail tenant={tenant} record={read.data?.record} />
          {read.data ? (
            <>
              <span aria-hidden="true">/</span>
              <Link to="/t/$tenant/-/types/$type" params={{ tenant, type }} className="link min-w-0 wrap-anywhere">
                {read.data.record.name}
              </Link>
            </>
          ) : null}
        </>
      }
      title={read.data ? `Edit ${read.data.record.name}` : 'Edit a type'}
    >
      <Read query={identity} what="your role">
        {(who) =>
          holds(who, tenant, 'primitives:edit') ? (
            <Read query={read} what="the type">
              {(data) =>
                isBuiltin(data.record) ? (
                  <Empty title="This type is read-only">
                    <p>It is included in svc. Create a type of the same namespace and name to replace it.</p>
                    <Link to="/t/$tenant/-/types/$type" params={{ tenant, type }} className="link">
                      Back to the type
                    </Link>
                  </Empty>
                ) : (
                  <Editing key={`${type} ${turn}`} at={at} read={data} onReload={() => void reload()} />
                )
              }
            </Read>
          ) : (
            <NoPermission permission="primitives:edit" />
          )
        }
      </Read>
    </Page>
  )
}
