import { ChevronDown, ChevronRight } from 'lucide-react'
import { webhookEvents, type WebhookEventType, webhookEventTypes } from '../../../../src/api/webhook-events.ts'
import { useAddress } from '../../parts/address.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { SmallJson, writeJson } from '../../parts/json.tsx'
import { SchemaView } from '../../parts/schema-view.tsx'

const Body = ({ type }: { type: WebhookEventType }) => {
  const { example, schema: body } = webhookEvents[type]
  const schema = body.properties.data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4 lg:grid-cols-2">
      <div className="grid content-start gap-1">
        <h3 className="text-sm font-semibold">Properties of data</h3>
        <SchemaView root={schema} schema={schema} />
      </div>
      <div className="grid content-start gap-1">
        <div className="flex items-center justify-between gap-2">
          <h3 className="text-sm font-semibold">Example</h3>
          <CopyButton text={writeJson(example)} what={`the example of ${type}`} />
        </div>
        <SmallJson value={example} label={`Example of ${type}`} tone="bg-raised max-h-none" />
      </div>
    </div>
  )
}

/** The types of events; the one that is open has its properties and an example. */
export const EventTypesView = ({ type: open }: { type: string }) => {
  const { filter } = useAddress()
  return (
    <>
      <p className="max-w-[75ch] text-sm text-soft">
        Each body has a type, the time of the event and data; properties are only ever added. An event may arrive twice
        and in any order: <code className="font-mono">webhook-id</code> tells two apart, and{' '}
        <code className="font-mono">data.sequence</code> counts the events of a project. The API description of the
        service has these schemas under webhooks.
      </p>
      <ul className="card divide-y" aria-label="Event types">
        {webhookEventTypes.map((type) => {
          const isOpen = type === open
          const Mark = isOpen ? ChevronDown : ChevronRight
          return (
            <li key={type}>
              <h2>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => filter({ type: isOpen ? 'none' : type })}
                  className="flex w-full items-baseline gap-3 px-4 py-3 text-left hover:bg-raised"
                >
                  <Mark size={15} className="shrink-0 self-center text-soft" aria-hidden="true" />
                  <span className="flex min-w-0 flex-wrap gap-x-3">
                    <span className="font-mono text-sm font-semibold">{type}</span>
                    <span className="text-sm text-soft">{webhookEvents[type].summary}</span>
                  </span>
                </button>
              </h2>
              {isOpen ? <Body type={type} /> : null}
            </li>
          )
        })}
      </ul>
    </>
  )
}
