import { useDebounced } from '../../parts/use-debounced.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { type Code, SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { browserHint } from '../../parts/error-hint.ts'
import { UnsavedGuard } from '../../parts/dialog.tsx'
import { Field, fieldError, Form, useForm } from '../../parts/form.tsx'
import { writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Failure, NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { refreshTypes, typeQuery } from './queries.ts'
import { SchemaEditor } from './schema-editor.tsx'
import { readSchemaText, refusedAt } from './schema-text.ts'
import { readTags, writeTags } from './words.ts'
import { TypeFields, type Visibility } from './type-fields.tsx'

const starting = `{
  "type": "object",
  "properties": {
  }
}
`

const fields: Partial<Record<Code, 'namespace' | 'name'>> = {
  'namespace-invalid': 'namespace',
  'primitive-name-invalid': 'name',
  'primitive-exists': 'name',
}

const refusalAt = (error: unknown, field: 'namespace' | 'name'): string | undefined =>
  error instanceof SvcError && fields[error.code as Code] === field ? error.message : fieldError(error, field)

/** What is shown at a field or in the editor is not said twice. */
const failure = (error: unknown) => {
  if (!(error instanceof SvcError)) return <Failure error={error} />
  if (fields[error.code as Code] === undefined && error.code !== 'primitive-schema-invalid')
    return <Failure error={error} />
  return (
    <p role="alert" className="text-sm text-danger">
      Not created. {browserHint(error.code as Code)}
    </p>
  )
}

interface Start {
  readonly namespace: string
  readonly name: string
  readonly schema: string
  readonly description: string
  readonly category: string
  readonly tags: string
}

type TypeForm = ReturnType<typeof useForm<Record<keyof Omit<Start, 'schema'>, string>>>

const NameFields = ({ form }: { form: Pick<TypeForm, 'bind' | 'error'> }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2">
    <Field
      label="Namespace"
      required
      spellCheck={false}
      placeholder="acme/money"
      hint="Segments with slashes between them. It cannot be changed later."
      {...form.bind('namespace')}
      error={refusalAt(form.error, 'namespace')}
    />
    <Field
      label="Name"
      required
      spellCheck={false}
      placeholder="Money"
      hint="It cannot be changed later."
      {...form.bind('name')}
      error={refusalAt(form.error, 'name')}
    />
  </div>
)

const Creating = ({ tenant, start }: { tenant: string; start: Start }) => {
  const navigate = useNavigate()
  const [text, setText] = useState(start.schema)
  const [sent, setSent] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('private')
  const debounced = useDebounced(text)
  const read = readSchemaText(debounced)
  const { schema: _, ...texts } = start
  const form = useForm<Record<keyof typeof texts, string>>(texts, async (given) => {
    const { schema } = readSchemaText(text)
    if (schema === null) return
    setSent(text)
    const { id } = await call(primitivesApi.create, {
      params: { tenant_slug: tenant },
      body: {
        namespace: given.namespace,
        name: given.name,
        schema,
        visibility,
        tags: readTags(given.tags),
        ...(given.description === '' ? {} : { description: given.description }),
        ...(given.category === '' ? {} : { category: given.category }),
      },
    })
    await refreshTypes(tenant)
    await navigate({ to: '/t/$tenant/-/types/$type', params: { tenant, type: id }, replace: true, ignoreBlocker: true })
  })
  const refused = text === sent ? refusedAt(form.error, read) : []
  const problems = read.problems.length > 0 ? read.problems : refused
  const unsaved = text !== start.schema || form.values.name !== start.name
  return (
    <>
      <UnsavedGuard unsaved={unsaved && !form.isPending} what="this type" />
      <Form
        change={form}
        submit="Create"
        disabled={read.problems.length > 0}
        onCancel={() => void navigate({ to: '/t/$tenant/-/types', params: { tenant } })}
        failure={failure}
      >
        <NameFields form={form} />
        <div className="grid gap-1">
          <p className="text-sm font-medium">Schema</p>
          <SchemaEditor
            tenant={tenant}
            text={text}
            problems={problems}
            onChange={setText}
            onSave={() => {
              if (!form.isPending && read.problems.length === 0) form.mutate()
            }}
          />
        </div>
        <TypeFields bind={form.bind} visibility={visibility} onVisibility={setVisibility} />
      </Form>
    </>
  )
}

/** A type that begins as a copy of another one, as where one's own takes the place of one that comes with svc. */
const CopyOf = ({
  tenant,
  from,
  namespace,
  name,
}: {
  tenant: string
  from: string
  namespace: string
  name: string
}) => {
  const read = useQuery(typeQuery({ tenant, type: from }))
  return (
    <Read query={read} what="the type">
      {({ record }) => (
        <Creating
          tenant={tenant}
          start={{
            namespace,
            name,
            schema: `${writeJson(record.schema)}\n`,
            description: record.description,
            category: record.category ?? '',
            tags: writeTags(record.tags),
          }}
        />
      )}
    </Read>
  )
}

/** Creates a type by hand. */
export const NewTypePage = ({
  tenant,
  namespace = '',
  name = '',
  from,
}: {
  tenant: string
  namespace?: string
  name?: string
  from?: string
}) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/types" params={{ tenant }} className="link">
          Types
        </Link>
      }
      title="Create a type"
      description={
        from === undefined
          ? 'A JSON Schema that documents refer to by its namespace and name.'
          : 'A type with the same namespace and name replaces the one included in svc, in this organization.'
      }
    >
      <Read query={identity} what="your role">
        {(who) => {
          if (!holds(who, tenant, 'primitives:edit')) return <NoPermission permission="primitives:edit" />
          if (from !== undefined) return <CopyOf tenant={tenant} from={from} namespace={namespace} name={name} />
          const start = { namespace, name, schema: starting, description: '', category: '', tags: '' }
          return <Creating tenant={tenant} start={start} />
        }}
      </Read>
    </Page>
  )
}
