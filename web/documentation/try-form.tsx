import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperationEntry, SecurityScheme, Server } from '../../src/api/reader.ts'
import { Button } from '../src/parts/button.tsx'
import { count } from '../src/parts/text.ts'
import { Field, SelectField, TextField } from '../src/parts/form.tsx'
import { bodyOf, composeRequest, type Filled, keyOf, placeholderOf, schemesOf, serverUrl } from './request.ts'
import { type TryResponse, send, silenceReasons, whyNot } from './send.ts'

const Reply = ({ answer }: { answer: TryResponse }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
    <p role="status" className="text-sm font-semibold">
      {answer.status} {answer.statusText} in {answer.ms} ms
    </p>
    <details>
      <summary className="min-h-6 cursor-pointer py-0.5 text-sm">
        {count(answer.headers.length, 'header', 'headers')} that the browser shows
      </summary>
      <ul className="font-mono text-xs">
        {answer.headers.map(([name, value]) => (
          <li key={name} className="break-all">
            {name}: {value}
          </li>
        ))}
      </ul>
    </details>
    {answer.text === '' ? (
      <p className="text-sm text-soft">The answer has no body.</p>
    ) : (
      <pre
        tabIndex={0}
        role="group"
        aria-label="Answer"
        className="max-h-[50vh] overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-xs"
      >
        {answer.text}
      </pre>
    )}
    {answer.length > answer.text.length ? (
      <p className="text-sm text-soft">
        The first {answer.text.length.toLocaleString()} of {answer.length.toLocaleString()} characters.
      </p>
    ) : null}
  </div>
)

const Silence = ({ error, url }: { error: Error; url: string }) =>
  error.name === 'TimeoutError' ? (
    <p role="alert">The server did not answer within 30 seconds.</p>
  ) : (
    <div role="alert" className="grid gap-1 text-sm">
      <p className="font-semibold">The browser got no answer that it may show. One of these is why:</p>
      <ul className="grid list-disc gap-1 pl-5">
        {silenceReasons(url, location.origin).map((it) => (
          <li key={it} className="wrap-anywhere">
            {it}
          </li>
        ))}
      </ul>
    </div>
  )

/** A server and the variables of its address. */
const ServerFields = ({ servers, onChange }: { servers: readonly Server[]; onChange: (address: string) => void }) => {
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const server = servers[at]
  const choose = (index: number, variables: Readonly<Record<string, string>>): void => {
    setAt(index)
    setChosen(variables)
    const next = servers[index]
    if (next) onChange(serverUrl(next, variables))
  }
  return (
    <>
      {servers.length > 1 ? (
        <SelectField
          label="Server"
          value={String(at)}
          options={servers.map(({ url }, index) => ({ value: String(index), name: url }))}
          onChange={(value) => choose(Number(value), {})}
        />
      ) : null}
      {(server?.variables ?? []).map(({ name, value, choices }) =>
        choices.length > 0 ? (
          <SelectField
            key={name}
            label={`Server: ${name}`}
            value={chosen[name] ?? value}
            options={choices.map((it) => ({ value: it, name: it }))}
            onChange={(it) => choose(at, { ...chosen, [name]: it })}
          />
        ) : (
          <Field
            key={name}
            label={`Server: ${name}`}
            value={chosen[name] ?? value}
            onChange={(event) => choose(at, { ...chosen, [name]: event.target.value })}
          />
        ),
      )}
    </>
  )
}

const Credential = ({
  scheme,
  value,
  onChange,
}: {
  scheme: SecurityScheme
  value: string
  onChange: (value: string) => void
}) => (
  <Field
    label={`Credential: ${scheme.name}`}
    hint={
      scheme.place === 'cookie'
        ? 'A browser sends no cookie that a page chooses: this request goes without it.'
        : `${scheme.kind}. It stays in this page until you leave it, and is sent to the server alone.`
    }
    type="password"
    autoComplete="off"
    placeholder={placeholderOf(scheme)}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

/** The form that sends the request of an operation from the reader's browser. */
export const TryForm = ({
  operation,
  servers,
  security,
  origins,
  filled,
  onChange,
}: {
  operation: OperationEntry
  servers: readonly Server[]
  security: readonly SecurityScheme[]
  origins: readonly string[]
  filled: Filled
  onChange: (change: Partial<Filled>) => void
}) => {
  const request = composeRequest(operation, security, filled)
  const refusal = whyNot(request.url, origins, location.origin)
  const sending = useMutation({ mutationFn: () => send(request), networkMode: 'always' })
  const media = operation.body?.media ?? []
  return (
    <form
      aria-label="Try it"
      className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (refusal === null) sending.mutate()
      }}
    >
      <ServerFields servers={servers} onChange={(server) => onChange({ server })} />
      {operation.parameters
        .filter(({ place }) => place !== 'cookie')
        .map((parameter) => (
          <Field
            key={keyOf(parameter)}
            label={`${parameter.name} (${parameter.place})${parameter.required ? ', required' : ''}`}
            required={parameter.required}
            value={filled.values[keyOf(parameter)] ?? ''}
            onChange={(event) => onChange({ values: { ...filled.values, [keyOf(parameter)]: event.target.value } })}
          />
        ))}
      {security
        .filter(({ name }) => schemesOf(operation).includes(name))
        .map((scheme) => (
          <Credential
            key={scheme.name}
            scheme={scheme}
            value={filled.credentials[scheme.name] ?? ''}
            onChange={(value) => onChange({ credentials: { ...filled.credentials, [scheme.name]: value } })}
          />
        ))}
      {media.length > 1 ? (
        <SelectField
          label="Media type of the body"
          value={filled.bodyType?.split(';')[0] ?? ''}
          options={media.map(({ type }) => ({ value: type, name: type }))}
          onChange={(type) => onChange(bodyOf(operation, type))}
        />
      ) : null}
      {media.length > 0 ? (
        <TextField
          label="Body"
          className="font-mono text-xs"
          rows={Math.min(16, Math.max(4, filled.body.split('\n').length))}
          spellCheck={false}
          value={filled.body}
          onChange={(event) => onChange({ body: event.target.value })}
        />
      ) : null}
      <p className="font-mono text-xs break-all text-soft">
        {request.method} {request.url}
      </p>
      {refusal === null ? (
        <Button type="submit" look="primary" busy={sending.isPending}>
          Send
        </Button>
      ) : (
        <p className="text-sm" role="note">
          {refusal}
        </p>
      )}
      {sending.error ? <Silence error={sending.error} url={request.url} /> : null}
      {sending.data && !sending.isPending ? <Reply answer={sending.data} /> : null}
    </form>
  )
}
