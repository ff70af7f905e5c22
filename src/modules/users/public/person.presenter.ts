import type { User } from '../entities/user.entity.js';
import type { Person } from './person.dto.js';

export const presentPerson = ({
  id,
  email,
  emailVerified,
  name,
}: Pick<User, 'id' | 'email' | 'emailVerified' | 'name'>): Person => ({
  id,
  email,
  email_verified: emailVerified,
  name,
});
