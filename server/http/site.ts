import { Elysia } from 'elysia'
import { SvcError } from '../../src/errors.ts'
import { apiVersion } from '../../src/api/version.ts'
import { openWeb } from '../web/door.ts'
import { answerDescription } from './description.ts'
import { pathOf } from './request-path.ts'

const sitePath = /^\/(?:v1\/openapi\.json\/?|(?:app|docs|play)(?:\/.*)?)?$/

/** Whether a request reads a file or page that is served beside the operations. */
export const isOfSite = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && sitePath.test(pathOf(request))

/**
 * What is served beside the declared operations: their description, the root, and the application's files.
 * @param hasPlayground whether the playground is served
 */
export function sitePlugin(hasPlayground: boolean): Elysia {
  const app = new Elysia({ name: 'site' })
  app.get('/v1/openapi.json', ({ request }) => answerDescription(request))
  app.all('/', ({ request }) => {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD')
      throw new SvcError('method-not-allowed', { method, path: '/', allow: ['GET', 'HEAD'] })
    if (request.headers.get('accept')?.includes('text/html') === true)
      return new Response(null, { status: 302, headers: { location: '/app/' } })
    return Response.json({
      service: 'svc',
      api_version: apiVersion,
      contract: '/v1/openapi.json',
      application: '/app/',
      documentation: '/docs',
    })
  })
  const web = async ({ request }: { request: Request }) =>
    (await openWeb()).serve(request) ?? new Response('File not found.', { status: 404 })
  app.get('/app', web).get('/app/*', web).get('/docs', web).get('/docs/*', web)
  if (hasPlayground) app.get('/play', web)
  return app
}
