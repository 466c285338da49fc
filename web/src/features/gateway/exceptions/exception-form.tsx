import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useId, useState } from 'react'
import { gatewayApi } from '../../../../../src/api/gateway.ts'
import { managedGroups } from '../../../../../src/gateway-policy/door.ts'
import { call } from '../../../call.ts'
import { Button } from '../../../parts/button.tsx'
import { CheckField, Field, SelectField, TextField } from '../../../parts/form.tsx'
import { Section } from '../../../parts/page.tsx'
import { Failure } from '../../../parts/states.tsx'
import { type EnvironmentAt, environmentInput } from '../queries.ts'
import { ChangePreview, isConflict, useWrite, WriteFailure } from '../rules/write.tsx'
import { exceptionBody, type ExceptionWords, type FieldKind, inHours } from './scope.ts'

const kindNames: Readonly<Record<FieldKind, string>> = {
  any: 'any field',
  query: 'query parameter',
  header: 'header',
  cookie: 'cookie',
  json: 'JSON of the body',
}
const kinds = Object.entries(kindNames).map(([value, name]) => ({ value: value as FieldKind, name }))
const lengths = [
  ['24 hours', 24],
  ['7 days', 7 * 24],
  ['30 days', 30 * 24],
] as const

interface Fields {
  readonly words: ExceptionWords
  readonly set: (changed: Partial<ExceptionWords>) => void
}
type Named = { [K in keyof ExceptionWords]: string extends ExceptionWords[K] ? K : never }[keyof ExceptionWords]

const bound = ({ words, set }: Fields, name: Named) => ({
  value: words[name],
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set({ [name]: event.target.value }),
})

const ScopeFields = (given: Fields) => {
  const { words, set } = given
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <SelectField
        label="Where"
        value={words.by}
        options={[
          { value: 'route', name: 'route of an operation' },
          { value: 'path', name: 'path' },
        ]}
        onChange={(by) => set({ by })}
      />
      <Field
        label={words.by === 'route' ? 'Route' : 'Path'}
        placeholder={words.by === 'route' ? '/pets/{petId}' : '/files/*'}
        required
        spellCheck={false}
        {...bound(given, 'place')}
      />
      <Field label="Method (optional)" placeholder="any" spellCheck={false} {...bound(given, 'method')} />
      <div className="grid content-start gap-2">
        <SelectField label="Field" value={words.kind} options={kinds} onChange={(kind) => set({ kind })} />
        {words.kind === 'any' ? null : (
          <Field
            label={words.kind === 'json' ? 'Pointer' : 'Name'}
            placeholder={words.kind === 'json' ? '/items/*/note' : 'q'}
            required
            spellCheck={false}
            {...bound(given, 'field')}
          />
        )}
      </div>
    </div>
  )
}

const TargetFields = (given: Fields) => {
  const { words, set } = given
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <fieldset className="grid content-start gap-1.5">
        <legend className="mb-1 text-sm font-medium">Exempt from groups</legend>
        <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {managedGroups.map(({ id, title }) => (
            <CheckField
              key={id}
              checked={words.groups.includes(id)}
              onChange={(on) => set({ groups: on ? [...words.groups, id] : words.groups.filter((it) => it !== id) })}
            >
              {title}
            </CheckField>
          ))}
        </div>
      </fieldset>
      <TextField
        label="Exempt from rules"
        hint="crs:942100, rule:ID or positive:CHECK; one in each line. Naming rules is narrower than naming a group."
        spellCheck={false}
        {...bound(given, 'ruleRefs')}
      />
    </div>
  )
}

const EndField = (given: Fields) => (
  <div className="grid content-start gap-2">
    <Field
      label="Ends"
      type="datetime-local"
      required
      hint="In your time zone, at most 30 days from now."
      {...bound(given, 'ends')}
    />
    <div className="flex flex-wrap gap-1.5" role="group" aria-label="Ends in">
      {lengths.map(([name, hours]) => (
        <Button key={name} look="quiet" onClick={() => given.set({ ends: inHours(hours, Date.now()) })}>
          in {name}
        </Button>
      ))}
    </div>
  </div>
)

const useExceptionForm = (
  at: EnvironmentAt,
  initial: ExceptionWords,
  replaces: string | null,
  policyVersion: number,
  onClose: () => void,
) => {
  const [words, setWords] = useState(initial)
  const input = environmentInput(at)
  const preview = useMutation({
    mutationFn: async (given: ExceptionWords) => {
      const body = { ...exceptionBody(given), dryRun: true }
      return { given, policyVersion, found: await call(gatewayApi.createException, { ...input, body }) }
    },
    scope: { id: useId() },
  })
  const write = useWrite(at, preview.data?.policyVersion ?? policyVersion, onClose)
  const previewed = preview.data?.given === words && !isConflict(write.error) ? preview.data.found : null
  const save = () =>
    write.write(async (controls) => {
      const body = { ...exceptionBody(words), ...controls }
      const made = await call(gatewayApi.createException, { ...input, body })
      if (replaces === null) return
      // The old one goes last: at no moment is the place without either of them.
      await call(gatewayApi.removeException, {
        params: { ...input.params, exception_id: replaces },
        query: { ...input.query, expectedPolicyVersion: made.policyVersion },
      })
    })
  return {
    words,
    preview,
    previewed,
    write,
    set: (changed: Partial<ExceptionWords>) => {
      write.reset()
      setWords((before) => ({ ...before, ...changed }))
    },
    submit: () => {
      if (previewed !== null) return save()
      write.reset()
      preview.mutate(words)
    },
  }
}

/** An exception: one place, what it is exempt from, why, and until when. It is previewed before it is saved. */
export const ExceptionForm = ({
  at,
  title,
  initial,
  replaces = null,
  policyVersion,
  onClose,
}: {
  at: EnvironmentAt
  title: string
  initial: ExceptionWords
  /** The exception in whose place this one comes. */
  replaces?: string | null
  policyVersion: number
  onClose: () => void
}) => {
  const { words, set, preview, previewed, write, submit } = useExceptionForm(
    at,
    initial,
    replaces,
    policyVersion,
    onClose,
  )
  const fields = { words, set }
  return (
    <Section
      title={title}
      description={
        replaces === null
          ? 'An exception lets requests to one place pass some checks, for a time.'
          : 'An exception is never rewritten: the changed one is added, then the old one is removed. Both stay in the list.'
      }
    >
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!write.isPending && !preview.isPending) submit()
        }}
      >
        <ScopeFields {...fields} />
        <TargetFields {...fields} />
        <div className="grid items-start gap-4 lg:grid-cols-3">
          <TextField label="Reason" required maxLength={1000} {...bound(fields, 'reason')} />
          <Field label="Ticket (optional)" maxLength={200} {...bound(fields, 'ticket')} />
          <EndField {...fields} />
        </div>
        {preview.error ? <Failure error={preview.error} /> : null}
        {previewed === null ? null : <ChangePreview {...previewed} {...(replaces === null ? { write } : {})} />}
        <WriteFailure at={at} write={write} inParts={replaces !== null} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" busy={write.isPending || preview.isPending}>
            {previewed === null ? 'Preview' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Section>
  )
}
