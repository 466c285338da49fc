import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ExternalLink, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import {
  descriptionAt,
  entriesAt,
  follow,
  isNode,
  listAt,
  type Node,
  nodeAt,
  textAt,
  typeWords,
} from '../../parts/openapi-document.ts'
import { Badge, Method } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { openapiQuery, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { Words } from '../../parts/page.tsx'
import { SchemaView } from '../../parts/schema-view.tsx'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t pt-3">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
)

const Content = ({ root, of }: { root: unknown; of: Node | null }) =>
  entriesAt(of, 'content').map(([mediaType, media]) => (
    <div key={mediaType} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="font-mono text-xs break-all text-soft">
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
            <span className="font-mono text-sm break-all">{name}</span>
            <span className="text-sm text-soft">
              {textAt(node, 'in')} · {typeWords(node['schema'])}
            </span>
            {node['required'] === true ? <span className="text-xs font-medium text-danger">required</span> : null}
          </p>
          {descriptionAt(node) ? (
            <p className="text-sm wrap-anywhere whitespace-pre-line text-soft">
              <Words of={descriptionAt(node) ?? ''} />
            </p>
          ) : null}
        </li>
      )
    })}
  </ul>
)

/** What an operation takes and answers. `root` is the document, `item` the path item that holds it. */
const OperationBody = ({ root, item, operation }: { root: unknown; item: Node; operation: Node }) => {
  const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')]
  const body = follow(root, operation['requestBody']).node
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span>{textAt(operation, 'summary')}</span>
        {textAt(operation, 'operationId') ? <Badge>{textAt(operation, 'operationId')}</Badge> : null}
        {operation['deprecated'] === true ? <Badge tone="warn">deprecated</Badge> : null}
      </p>
      {descriptionAt(operation) ? (
        <p className="text-sm wrap-anywhere whitespace-pre-line text-soft">
          <Words of={descriptionAt(operation) ?? ''} />
        </p>
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
            <p className="text-sm text-soft">
              <Words of={descriptionAt(node) ?? ''} />
            </p>
            <Content root={root} of={node} />
          </Part>
        )
      })}
    </>
  )
}

const Described = ({ at, method, path }: { at: VersionRef; method: string; path: string }) => {
  const { data: root, isError, error, refetch } = useQuery(openapiQuery(at))
  if (isError) return <Failure error={error} onRetry={() => void refetch()} />
  if (!root) return <Loading what="the operation" />
  const item = nodeAt(nodeAt(root, 'paths'), path)
  const operation = nodeAt(item, method.toLowerCase())
  if (!item || !operation) return <p className="text-soft">This version has no such operation.</p>
  return <OperationBody root={root} item={item} operation={operation} />
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
  const version = useQuery(versionQuery(at))
  const heading = useRef<HTMLHeadingElement>(null)
  const [method = '', ...rest] = operation.split(' ')
  const path = rest.join(' ')
  // The focus follows into what was opened.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    // On a narrow screen it takes the place of the list, which may have been scrolled.
    if (matchMedia('(width < 64rem)').matches) heading.current?.scrollIntoView({ block: 'nearest' })
  }, [operation])
  return (
    <article
      className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-auto p-4 lg:max-h-[65vh]"
      tabIndex={0}
      aria-label={operation}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <button type="button" className="link flex w-fit items-center gap-1 text-sm lg:hidden" onClick={onClose}>
        <ArrowLeft size={15} aria-hidden="true" />
        All operations
      </button>
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
        {version.data ? (
          <a
            href={`${version.data.urls.page}#${encodeURIComponent(operation)}`}
            target="_blank"
            rel="noreferrer"
            aria-label="Open in the documentation (opens in a new tab)"
            title="Open in the documentation"
            className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
          >
            <ExternalLink size={16} aria-hidden="true" />
          </a>
        ) : null}
        <button
          type="button"
          aria-label="Close the operation"
          onClick={onClose}
          className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      <Described at={at} method={method} path={path} />
    </article>
  )
}
