import { Link } from '@tanstack/react-router'
import type { Node } from './layout.ts'

/** The name of a node, which leads to its page. A client of several projects has no page of its own. */
export const NodeLink = ({ tenant, of: node }: { tenant: string; of: Node }) => {
  if (node.kind === 'project')
    return (
      <Link to="/t/$tenant/$project" params={{ tenant, project: node.ref }} className="link">
        {node.name}
      </Link>
    )
  if (node.kind === 'repository')
    return (
      <Link to="/t/$tenant/-/repositories/$repository" params={{ tenant, repository: node.ref }} className="link">
        {node.name}
      </Link>
    )
  if (node.kind === 'environment')
    return (
      <Link to="/t/$tenant/-/gateway/$environment" params={{ tenant, environment: node.ref }} className="link">
        {node.name}
      </Link>
    )
  if (node.kind === 'type')
    return (
      <Link to="/t/$tenant/-/types/$type" params={{ tenant, type: node.ref }} className="link">
        {node.name}
      </Link>
    )
  return <span>{node.name}</span>
}
