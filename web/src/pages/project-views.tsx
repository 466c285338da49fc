import { Link } from '@tanstack/react-router'
import { viewLink, Views } from '../parts/views.tsx'
import { projectViews } from '../shell/destinations.ts'

/** The views of a project: its versions, and what belongs to them all. */
export const ProjectViews = ({ tenant, project }: { tenant: string; project: string }) => (
  <Views label="Views of this project">
    {projectViews.map(({ to, name }) => (
      <Link key={to} to={to} params={{ tenant, project }} {...viewLink}>
        {name}
      </Link>
    ))}
  </Views>
)

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
