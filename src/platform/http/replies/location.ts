import { applyDecorators, Injectable, SetMetadata, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { PublicUrl } from '../server/public-url.js';

/**
 * Where a created resource can be read, below `/api/v1`. `:name` is a parameter of the operation's own path, `{name}`
 * or `{name.name}` a field of its reply: `/recordings/{id}`, `/organizations/:id/folders`.
 */
export type Location = `/${string}`;

const LOCATION = Symbol('LOCATION');
const PLACES = /:(\w+)|\{([\w.]+)\}/g;

@Injectable()
class LocationHeader implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly publicUrl: PublicUrl,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const location = this.reflector.get<Location>(LOCATION, context.getHandler());
    const http = context.switchToHttp();
    const { params } = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      tap(({ data }: { data: object }) => {
        const path = location.replace(PLACES, (_, parameter?: string, field = '') =>
          encodeURIComponent(parameter === undefined ? fieldOf(data, field) : String(params[parameter])),
        );
        response.setHeader('Location', `${this.publicUrl.path}/api/v1${path}`);
      }),
    );
  }
}

/**
 * The `Location` header of a reply with status 201. A path, which clients resolve against the URL of their request:
 * they never send their key to another host because of it.
 */
export const ReturnsLocation = (location: Location): MethodDecorator =>
  applyDecorators(SetMetadata(LOCATION, location), UseInterceptors(LocationHeader));

function fieldOf(data: object, name: string): string {
  let value: unknown = data;
  for (const part of name.split('.')) value = (value as Record<string, unknown>)[part];
  if (typeof value !== 'string') throw new Error(`The reply has no field "${name}" for its Location`);
  return value;
}
