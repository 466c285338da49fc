const routes = new WeakMap<Request, string>()

/** Notes the path template that a request matched, for its log line, its count and its span. */
export const rememberRoute = (request: Request, template: string): void => void routes.set(request, template)

/** The path template that a request matched; null while none was found. */
export const routeOf = (request: Request): string | null => routes.get(request) ?? null
