import { Server } from '@tus/server';
import { refusal } from './tus-store.js';

/** `@tus/server`, except that every refusal is thrown as a `DomainError`. */
export class TusProtocol extends Server {
  override write(
    ...[context, headers, status, body]: Parameters<Server['write']>
  ): ReturnType<Server['write']> {
    if (status >= 400) throw refusal({ status_code: status, body });
    return super.write(context, headers, status, body);
  }
}
