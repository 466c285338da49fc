import { Link } from '@tanstack/react-router'

/** The way to a page below a project. */
export const ProjectTrail = ({
  tenant,
  project,
  within,
}: {
  tenant: string
  project: string
  within?: 'consumers'
}) => (
  <>
    <Link to="/t/$tenant" params={{ tenant }} className="link">
      Projects
    </Link>
    <span aria-hidden="true">/</span>
    <Link to="/t/$tenant/$project" params={{ tenant, project }} className="link">
      {project}
    </Link>
    {within ? (
      <>
        <span aria-hidden="true">/</span>
        <Link to="/t/$tenant/$project/-/consumers" params={{ tenant, project }} className="link">
          Consumers
        </Link>
      </>
    ) : null}
  </>
)
