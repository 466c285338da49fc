import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Media, OperationEntry, Parameter, ReaderIndex, Response } from '../../src/api/reader.ts'
import { Badge, Method } from '../src/parts/badge.tsx'
import { CopyButton } from '../src/parts/copy.tsx'
import { Loading } from '../src/parts/states.tsx'
import { Html } from './html.tsx'
import { operationPart } from './parts.ts'
import { useReading } from './reading.ts'
import { SchemaTree, TypeLine } from './schema.tsx'
import { PartError } from './part-error.tsx'
import { Button } from '../src/parts/button.tsx'
import { Choices } from '../src/parts/choices.tsx'
import { languages } from './code-samples.ts'
import { composeRequest, type Filled, serverUrl, startValues } from './request.ts'
import { TryForm } from './try-form.tsx'

const languageKey = 'svc-docs-language'

const keptLanguage = (): string => {
  // Storage may be forbidden; the page works without it.
  try {
    return localStorage.getItem(languageKey) ?? 'curl'
  } catch {
    return 'curl'
  }
}

const keepLanguage = (language: string): void => {
  try {
    localStorage.setItem(languageKey, language)
  } catch {
    // It holds until the page is left, then.
  }
}

interface Sample {
  readonly id: string
  readonly name: string
  readonly text: string
}

const samplesOf = (operation: OperationEntry, index: ReaderIndex, filled: Filled): Sample[] => {
  const request = composeRequest(operation, index.security, filled)
  return [
    ...operation.ownSamples.map(({ label, source }, at) => ({ id: `own-${at}`, name: label, text: source })),
    ...languages.map(({ id, name, write }) => ({ id, name, text: write(request) })),
  ]
}

/** The request of an operation: as code in several languages, and a form that sends it. Both show the same values. */
const RequestPanel = ({
  operation,
  index,
  origins,
}: {
  operation: OperationEntry
  index: ReaderIndex
  origins: readonly string[]
}) => {
  const servers = operation.servers.length > 0 ? operation.servers : index.servers
  const [filled, setFilled] = useState<Filled>(() => startValues(operation, servers[0] ? serverUrl(servers[0]) : ''))
  const [isTrying, setIsTrying] = useState(false)
  const [language, setLanguage] = useState(keptLanguage)
  const samples = samplesOf(operation, index, filled)
  const shown = samples.find(({ id }) => id === language) ?? samples[0]
  return (
    <section aria-label="Request" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
        <Choices
          label="Language"
          value={shown?.id ?? null}
          choices={samples.map(({ id, name }) => ({ value: id, name }))}
          onChange={(value) => {
            if (value === null) return
            setLanguage(value)
            keepLanguage(value)
          }}
        />
      </div>
      {shown === undefined ? null : (
        <div className="card grid grid-cols-[minmax(0,1fr)]">
          <div className="flex items-center justify-between border-b px-3 py-1 text-sm">
            {shown.name}
            <CopyButton text={shown.text} what="the code" />
          </div>
          <pre
            tabIndex={0}
            role="group"
            aria-label={`${shown.name} code`}
            className="max-h-[50vh] overflow-auto px-3 py-2 font-mono text-xs print:max-h-none print:whitespace-pre-wrap"
          >
            {shown.text}
          </pre>
        </div>
      )}
      <div className="print:hidden">
        <Button look={isTrying ? 'plain' : 'primary'} aria-expanded={isTrying} onClick={() => setIsTrying(!isTrying)}>
          {isTrying ? 'Close the form' : 'Try it'}
        </Button>
      </div>
      {isTrying ? (
        <TryForm
          operation={operation}
          servers={servers}
          security={index.security}
          origins={origins}
          filled={filled}
          onChange={(change) => setFilled((before) => ({ ...before, ...change }))}
        />
      ) : null}
    </section>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t pt-4">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
)

const Text = ({ text, label }: { text: string; label: string }) => (
  <pre
    tabIndex={0}
    role="group"
    aria-label={label}
    className="max-h-96 overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-xs"
  >
    {text}
  </pre>
)

const Examples = ({ of }: { of: Pick<Media, 'examples'> }) =>
  of.examples.map(({ name, text }, at) => (
    <details key={`${at} ${name}`}>
      <summary className="min-h-6 cursor-pointer py-0.5 text-sm">{name}</summary>
      <Text text={text} label={name} />
    </details>
  ))

const Contents = ({ media }: { media: readonly Media[] }) =>
  media.map((media) => (
    <div key={media.type} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="font-mono text-xs break-all text-soft">{media.type}</p>
      {media.view === null ? null : <SchemaTree view={media.view} />}
      <Examples of={media} />
      {media.examples.length === 0 && media.sample !== null && media.sample !== '' ? (
        <Examples of={{ examples: [{ name: 'Sample', text: media.sample }] }} />
      ) : null}
    </div>
  ))

const ParameterLine = ({ of }: { of: Parameter }) => (
  <li className="grid gap-1 py-1.5">
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-mono text-sm break-all">{of.name}</span>
      <span className="text-xs text-soft">{of.place}</span>
      {of.view === null ? null : <TypeLine view={of.view} />}
      {of.required ? <span className="text-xs font-medium text-danger">required</span> : null}
      {of.deprecated ? <span className="text-xs font-medium text-warn">deprecated</span> : null}
    </p>
    <Html html={of.description} quiet />
    {of.view !== null && of.view.members.length > 0 ? (
      <details>
        <summary className="min-h-6 cursor-pointer py-0.5 text-sm">Parts of {of.name}</summary>
        <SchemaTree view={of.view} />
      </details>
    ) : null}
    <Examples of={of} />
  </li>
)

const Parameters = ({ list }: { list: readonly Parameter[] }) => (
  <ul className="divide-y divide-line">
    {list.map((it) => (
      <ParameterLine key={`${it.place} ${it.name}`} of={it} />
    ))}
  </ul>
)

const toneOf = (status: string): string => {
  if (status.startsWith('2')) return 'text-ok'
  return /^[45]/.test(status) ? 'text-danger' : 'text-ink'
}

/** The words of a description without its elements. */
const wordsOf = (html: string): string =>
  (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').trim().replaceAll(/\s+/g, ' ')

const longestSummary = 120

/** What a response is, in the line that opens it. */
const firstWords = (html: string): string => {
  const words = wordsOf(html)
  return words.length <= longestSummary ? words : `${words.slice(0, longestSummary).trimEnd()} …`
}

/** Whether the line that opens a response says all of it: it has no links or other elements either. */
const isShort = (html: string): boolean => wordsOf(html).length <= longestSummary && !/<(?!\/?p>)/.test(html)

const ResponsePart = ({ of, open }: { of: Response; open: boolean }) => (
  <details open={open} className="card grid grid-cols-[minmax(0,1fr)] px-3 py-2">
    <summary className="cursor-pointer">
      <span className={`font-mono text-sm font-semibold ${toneOf(of.status)}`}>{of.status}</span>{' '}
      <span className="text-sm text-soft">{firstWords(of.description)}</span>
    </summary>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-2">
      {isShort(of.description) ? null : <Html html={of.description} />}
      {of.headers.length > 0 ? (
        <details>
          <summary className="min-h-6 cursor-pointer py-0.5 text-sm">Headers</summary>
          <Parameters list={of.headers} />
        </details>
      ) : null}
      <Contents media={of.media} />
    </div>
  </details>
)

const places = ['path', 'query', 'header', 'cookie']

/** What an operation takes and answers. */
const Body = ({ operation }: { operation: OperationEntry }) => {
  const success = operation.responses.findIndex(({ status }) => status.startsWith('2'))
  return (
    <>
      <Html html={operation.description} />
      {operation.security.length > 0 ? (
        <p className="text-sm text-soft">
          Authentication: {operation.security.join(', or ')} (see{' '}
          <a className="link" href="#">
            the introduction
          </a>
          )
        </p>
      ) : null}
      {operation.parameters.length > 0 ? (
        <Section title="Parameters">
          <Parameters
            list={operation.parameters.toSorted((a, b) => places.indexOf(a.place) - places.indexOf(b.place))}
          />
        </Section>
      ) : null}
      {operation.body === null ? null : (
        <Section title={operation.body.required ? 'Request body, required' : 'Request body'}>
          <Html html={operation.body.description} />
          <Contents media={operation.body.media} />
        </Section>
      )}
      {operation.responses.length > 0 ? (
        <Section title="Responses">
          {operation.responses.map((it, at) => (
            <ResponsePart key={it.status} of={it} open={at === Math.max(0, success)} />
          ))}
        </Section>
      ) : null}
      {operation.callbacks.length > 0 ? (
        <Section title="Callbacks">
          {operation.callbacks.map((callback, at) => (
            <details key={`${at} ${callback.name}`} className="card px-3 py-2">
              <summary className="cursor-pointer">
                <span className="font-semibold">{callback.name}</span> <Method method={callback.operation.method} />
                <span className="font-mono text-sm break-all">{callback.to}</span>
              </summary>
              <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-2">
                <p>{callback.operation.summary}</p>
                <Body operation={callback.operation} />
              </div>
            </details>
          ))}
        </Section>
      ) : null}
    </>
  )
}

/** What the first success looks like: an example of the document, else a value that follows from the schema. */
const ResponseSample = ({ operation }: { operation: OperationEntry }) => {
  const success = operation.responses.find(({ status }) => status.startsWith('2'))
  const media = success?.media.find((it) => it.examples.length > 0 || (it.sample ?? '') !== '')
  const text = media?.examples[0]?.text ?? media?.sample ?? ''
  if (success === undefined || media === undefined || text === '') return null
  return (
    <section aria-label={`Response ${success.status}`} className="card grid grid-cols-[minmax(0,1fr)] print:hidden">
      <div className="flex items-center justify-between gap-2 border-b px-3 py-1 text-sm">
        <span className="min-w-0 wrap-anywhere">
          Response <span className={`font-mono ${toneOf(success.status)}`}>{success.status}</span>{' '}
          <span className="text-soft">{media.examples.length > 0 ? 'example' : 'sample'}</span>
        </span>
        <CopyButton text={text} what="the response" />
      </div>
      <pre
        tabIndex={0}
        role="group"
        aria-label={`Example of the response ${success.status}`}
        className="max-h-[40vh] overflow-auto px-3 py-2 font-mono text-xs"
      >
        {text}
      </pre>
    </section>
  )
}

/** One operation, with its request to the right of it where there is room. */
export const OperationView = ({ index, isAlone = true }: { index: number; isAlone?: boolean }) => {
  const { parts, setting } = useReading()
  const part = useQuery({ queryKey: ['operation', index], queryFn: () => operationPart(parts, index) })
  if (part.isError) return <PartError error={part.error} onRetry={() => void part.refetch()} />
  if (part.data === undefined) return <Loading what="the operation" />
  const { operation } = part.data
  const title = operation.summary || operation.operationId || `${operation.method} ${operation.path}`
  return (
    <article
      aria-label={`${operation.method} ${operation.path}`}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="grid gap-2">
          <h2 tabIndex={-1} className="text-xl font-semibold wrap-anywhere outline-none">
            {title}
          </h2>
          <p className="flex flex-wrap items-center gap-2">
            {operation.isWebhook ? <Badge tone="info">webhook</Badge> : null}
            <span className="inline-flex min-w-0 items-baseline">
              <Method method={operation.method} />
              <code className="min-w-0 font-mono text-sm break-all">{operation.path}</code>
            </span>
            <CopyButton text={operation.path} what="the path" />
            {operation.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
            {operation.operationId === '' ? null : (
              <code className="font-mono text-xs break-all text-soft">{operation.operationId}</code>
            )}
          </p>
        </div>
        <Body operation={operation} />
      </div>
      {operation.isWebhook || !isAlone ? null : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:sticky xl:top-16 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto print:static print:max-h-none">
          <RequestPanel key={index} operation={operation} index={parts.index} origins={setting.origins ?? []} />
          <ResponseSample operation={operation} />
        </div>
      )}
    </article>
  )
}
