import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { entriesAt, follow, isNode, listAt, type Node, nodeAt, textAt, typeWords } from '../document.ts'
import { Badge, Method } from '../parts/badge.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { openapiQuery, type VersionRef } from '../queries.ts'
import { SchemaView } from './schema-view.tsx'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-1 border-t pt-3">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
)

const Content = ({ root, of }: { root: unknown; of: Node | null }) =>
  entriesAt(of, 'content').map(([mediaType, media]) => (
    <div key={mediaType} className="grid gap-1">
      <p className="font-mono text-xs text-soft">
        {mediaType} · {typeWords(isNode(media) ? media['schema'] : undefined)}
      </p>
      <SchemaView root={root} schema={isNode(media) ? media['schema'] : undefined} />
    </div>
  ))

const Parameters = ({ root, list }: { root: unknown; list: readonly unknown[] }) => (
  <ul className="divide-y">
    {list.map((given, index) => {
      const { node } = follow(root, given)
      if (!node) return null
      const name = textAt(node, 'name') ?? `parameter ${index + 1}`
      return (
        <li key={`${textAt(node, 'in')} ${name}`} className="py-1.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-mono text-sm">{name}</span>
            <span className="text-sm text-soft">
              {textAt(node, 'in')} · {typeWords(node['schema'])}
            </span>
            {node['required'] === true ? <span className="text-xs font-medium text-danger">required</span> : null}
          </p>
          {textAt(node, 'description') ? (
            <p className="text-sm whitespace-pre-line text-soft">{textAt(node, 'description')}</p>
          ) : null}
        </li>
      )
    })}
  </ul>
)

const Body = ({ root, item, operation }: { root: unknown; item: Node; operation: Node }) => {
  const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')]
  const body = follow(root, operation['requestBody']).node
  return (
    <>
      {textAt(operation, 'description') ? (
        <p className="text-sm whitespace-pre-line text-soft">{textAt(operation, 'description')}</p>
      ) : null}
      {parameters.length > 0 ? (
        <Part title="Parameters">
          <Parameters root={root} list={parameters} />
        </Part>
      ) : null}
      {body ? (
        <Part title={body['required'] === true ? 'Request body, required' : 'Request body'}>
          <Content root={root} of={body} />
        </Part>
      ) : null}
      {entriesAt(operation, 'responses').map(([status, given]) => {
        const { node } = follow(root, given)
        return (
          <Part key={status} title={`Response ${status}`}>
            <p className="text-sm text-soft">{textAt(node, 'description')}</p>
            <Content root={root} of={node} />
          </Part>
        )
      })}
    </>
  )
}

/** One operation in full, read from the version's OpenAPI document. `operation` is its name: "GET /pets/{id}". */
export const OperationDetail = ({
  at,
  operation,
  onClose,
}: {
  at: VersionRef
  operation: string
  onClose: () => void
}) => {
  const document = useQuery(openapiQuery(at))
  const heading = useRef<HTMLHeadingElement>(null)
  const [method = '', ...rest] = operation.split(' ')
  const path = rest.join(' ')
  // Whoever opened it reads on in it, with the keyboard as with the eyes.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [operation])
  const root = document.data
  const item = nodeAt(nodeAt(root, 'paths'), path)
  const found = nodeAt(item, method.toLowerCase())
  return (
    <article
      className="card grid max-h-[65vh] content-start gap-3 overflow-auto p-4"
      tabIndex={0}
      aria-label={operation}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className="flex items-start gap-2">
        <h2
          ref={heading}
          tabIndex={-1}
          className="outline-none flex min-w-0 grow flex-wrap items-baseline gap-x-1 font-semibold"
        >
          <Method method={method} />
          <span className="font-mono text-sm break-all">{path}</span>
        </h2>
        <CopyButton text={operation} what="method and path" />
        <button
          type="button"
          aria-label="Close the operation"
          onClick={onClose}
          className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {document.isError ? (
        <Failure error={document.error} onRetry={() => void document.refetch()} />
      ) : !root ? (
        <Loading what="the operation" />
      ) : !item || !found ? (
        <p className="text-soft">The document of this version has no such operation.</p>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <span>{textAt(found, 'summary')}</span>
            {textAt(found, 'operationId') ? <Badge>{textAt(found, 'operationId')}</Badge> : null}
            {found['deprecated'] === true ? <Badge tone="warn">deprecated</Badge> : null}
          </p>
          <Body root={root} item={item} operation={found} />
        </>
      )}
    </article>
  )
}
