import { useState } from 'react'
import type { OperationEntry, ReaderIndex } from '../../src/api/reader.ts'
import { Button } from '../src/parts/button.tsx'
import { Choices } from '../src/parts/choices.tsx'
import { CopyButton } from '../src/parts/copy.tsx'
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
export const RequestPanel = ({
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
